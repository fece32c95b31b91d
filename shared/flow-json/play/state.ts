import { isObject, type JsonObject, own, textOr } from '#shared/base/json.ts';
import { successScreen, withDescendants } from '#shared/flow-json/document/read-flow.ts';
import { type InputKind, inputKindOf, parseWebAddress } from '#shared/flow-json/document/values.ts';
import type { Lookup } from '../document/expression.ts';
import { examplesOf, type Flow, type Screen } from './model.ts';
import { asShown, resolve, selectionActions, type VisibleComponent, visibleComponents } from './resolve-values.ts';

export interface FlowState {
  readonly status: 'open' | 'waiting' | 'completed';
  /** Ids of the screens from the first to the one shown. */
  readonly stack: readonly string[];
  /** Every screen seen so far, including those that were left. */
  readonly screens: ReadonlyMap<string, ScreenState>;
  /** The endpoint's message about the last request. */
  readonly errorMessage?: string;
  /** The screen that should have been opened last, if the Flow has no such screen. */
  readonly missingScreen?: string;
  /** What the business receives when the Flow is completed. */
  readonly response?: JsonObject;
}

export interface ScreenState {
  readonly data: ReadonlyMap<string, unknown>;
  /** What the inputs hold before they are touched. */
  readonly initial: ReadonlyMap<string, unknown>;
  readonly touched: ReadonlyMap<string, unknown>;
}

export type FlowEvent =
  | { readonly type: 'input'; readonly component: VisibleComponent; readonly value: unknown }
  /** @param action as written in the Flow JSON */
  | { readonly type: 'act'; readonly action: unknown }
  | { readonly type: 'back' }
  /** @param response the endpoint's response, decrypted */
  | { readonly type: 'response'; readonly response: unknown }
  | { readonly type: 'failure'; readonly message: string };

/** What a transition asks the page to do. */
export type Effect =
  | { readonly type: 'request'; readonly request: EndpointRequest }
  | { readonly type: 'open-url'; readonly url: string };

/** A request to the endpoint, without version and Flow token (Meta's page "Implement endpoints for Flows"). */
export interface EndpointRequest {
  readonly action: 'INIT' | 'BACK' | 'data_exchange';
  readonly screen?: string;
  readonly data: JsonObject;
}

export interface Transition {
  readonly state: FlowState;
  readonly effects: readonly Effect[];
}

const emptyValues: Readonly<Record<InputKind, unknown>> = {
  string: '',
  strings: [],
  boolean: false,
  period: '',
  media: [],
};

const closed: FlowState = { status: 'open', stack: [], screens: new Map() };

/** Opens a Flow: at its first screen with example data, or with a request if it has an endpoint. */
export function start(flow: Flow): Transition {
  if (flow.dataApiVersion !== undefined) return withRequest(closed, { action: 'INIT', data: {} });
  const [first] = flow.screens.values();
  return withoutEffects(first === undefined ? closed : openScreen(flow, closed, first.id, examplesOf(first)));
}

/** How a business opens a Flow that it sends (Meta's page "Sending a Flow"). */
interface Opening {
  /** `data_exchange` asks the endpoint for the first screen. */
  readonly action: 'navigate' | 'data_exchange';
  /** Defaults to the first screen of the Flow JSON. */
  readonly screen?: string | undefined;
  readonly data?: JsonObject | undefined;
}

/** Opens a Flow as it was sent: what the business does not send, no screen has. */
export function startAsSent(flow: Flow, { action, screen, data = {} }: Opening): Transition {
  if (action === 'data_exchange') return withRequest(closed, { action: 'INIT', data: {} });
  const [first] = flow.screens.keys();
  const id = screen ?? first;
  return withoutEffects(id === undefined ? closed : openScreen(flow, closed, id, new Map(Object.entries(data))));
}

/** Shows a screen by itself, with its example data. */
export function jumpTo(flow: Flow, id: string): FlowState {
  const screen = flow.screens.get(id);
  return openScreen(flow, closed, id, screen === undefined ? new Map() : examplesOf(screen));
}

/** The state after an event. While a request is pending, only its response or failure changes the state. */
export function reduce(flow: Flow, state: FlowState, event: FlowEvent): Transition {
  const isResponse = event.type === 'response' || event.type === 'failure';
  if (state.status !== (isResponse ? 'waiting' : 'open')) return withoutEffects(state);
  switch (event.type) {
    case 'input':
      return setInput(flow, withoutError(state), event.component, event.value);
    case 'act':
      return act(flow, withoutError(state), event.action);
    case 'back':
      return goBack(flow, withoutError(state));
    case 'response':
      return withoutEffects(applyResponse(flow, { ...withoutError(state), status: 'open' }, event.response));
    case 'failure':
      return withoutEffects({ ...state, status: 'open', errorMessage: event.message });
  }
}

export function currentScreen(flow: Flow, { stack }: FlowState): Screen | undefined {
  return flow.screens.get(stack.at(-1) ?? '');
}

export function currentComponents(flow: Flow, state: FlowState): VisibleComponent[] {
  const components = visibleComponents(currentScreen(flow, state)?.components ?? [], lookupIn(state));
  return components.map((component) => asShown(component, flow.limits));
}

export function inputValue(state: FlowState, name: string): unknown {
  return valueOn(currentState(state), name);
}

/** Resolves references on the current screen. */
export function lookupIn(state: FlowState): Lookup {
  return ({ source, screen, path: [first, ...rest] }) => {
    const on = screen === undefined ? currentState(state) : state.screens.get(screen);
    const value = source === 'data' ? on?.data.get(first) : valueOn(on, first);
    return rest.reduce(own, value);
  };
}

function currentState({ stack, screens }: FlowState): ScreenState | undefined {
  return screens.get(stack.at(-1) ?? '');
}

function valueOn(screen: ScreenState | undefined, name: string): unknown {
  return screen?.touched.has(name) ? screen.touched.get(name) : screen?.initial.get(name);
}

function setInput(flow: Flow, state: FlowState, component: VisibleComponent, value: unknown): Transition {
  const screen = currentState(state);
  const name = textOr(own(component.properties, 'name'), '');
  if (screen === undefined) return withoutEffects(state);
  const before = valueOn(screen, name);
  const next = withScreen(state, { ...screen, touched: new Map(screen.touched).set(name, value) });
  return selectionActions(component, before, value).reduce<Transition>((soFar, action) => {
    const { state: after, effects } = act(flow, soFar.state, action);
    return { state: after, effects: [...soFar.effects, ...effects] };
  }, withoutEffects(next));
}

function act(flow: Flow, state: FlowState, action: unknown): Transition {
  const lookup = lookupIn(state);
  const resolved = resolve(own(action, 'payload'), lookup);
  const payload = isObject(resolved) ? resolved : {};
  switch (own(action, 'name')) {
    case 'navigate': {
      const next = textOr(own(own(action, 'next'), 'name'), '');
      return withoutEffects(openScreen(flow, state, next, new Map(Object.entries(payload))));
    }
    case 'complete':
      return withoutEffects({ ...state, status: 'completed', response: { ...payload, flow_token: flow.token } });
    case 'data_exchange':
      return withRequest(state, { action: 'data_exchange', ...shownScreen(state), data: payload });
    case 'update_data':
      return withoutEffects(withData(flow, state, payload));
    case 'open_url':
      return { state, effects: urlEffects(resolve(own(action, 'url'), lookup)) };
    default:
      return withoutEffects(state);
  }
}

/** Only web pages are opened. */
function urlEffects(url: unknown): Effect[] {
  const address = parseWebAddress(textOr(url, ''));
  return address === undefined ? [] : [{ type: 'open-url', url: address.href }];
}

function goBack(flow: Flow, state: FlowState): Transition {
  if (state.stack.length < 2) return withoutEffects(state);
  const left = currentScreen(flow, state);
  const previous = { ...state, stack: state.stack.slice(0, -1) };
  if (flow.dataApiVersion === undefined || !left?.refreshesOnBack) return withoutEffects(previous);
  return withRequest(previous, { action: 'BACK', screen: left.id, data: {} });
}

function applyResponse(flow: Flow, state: FlowState, response: unknown): FlowState {
  const screen = textOr(own(response, 'screen'), '');
  const sent = own(response, 'data');
  const data = isObject(sent) ? sent : {};
  if (screen === successScreen) {
    const params = own(own(data, 'extension_message_response'), 'params');
    return { ...state, status: 'completed', response: isObject(params) ? params : {} };
  }
  const { error_message, ...rest } = data;
  const shown = state.stack.at(-1) === screen;
  const next = shown ? withData(flow, state, rest) : openScreen(flow, state, screen, new Map(Object.entries(rest)));
  return typeof error_message === 'string' ? { ...next, errorMessage: error_message } : next;
}

/** A screen that is already on the stack is returned to; a screen that the Flow does not have is not opened. */
function openScreen(flow: Flow, state: FlowState, id: string, data: ReadonlyMap<string, unknown>): FlowState {
  if (!flow.screens.has(id)) return { ...state, missingScreen: id };
  const at = state.stack.indexOf(id);
  const stack = at === -1 ? [...state.stack, id] : state.stack.slice(0, at + 1);
  return withInitialValues(flow, withScreen({ ...state, stack }, { data, initial: new Map(), touched: new Map() }));
}

function withData(flow: Flow, state: FlowState, changes: JsonObject): FlowState {
  const screen = currentState(state);
  if (screen === undefined) return state;
  const data = new Map([...screen.data, ...Object.entries(changes)]);
  return withInitialValues(flow, withScreen(state, { ...screen, data }));
}

function withInitialValues(flow: Flow, state: FlowState): FlowState {
  const screen = currentScreen(flow, state);
  const screenState = currentState(state);
  if (screen === undefined || screenState === undefined) return state;
  return withScreen(state, { ...screenState, initial: initialValues(screen, lookupIn(state)) });
}

function initialValues(screen: Screen, lookup: Lookup): Map<string, unknown> {
  const components = withDescendants(screen.components);
  const ofForms = components
    .filter(({ type }) => type === 'Form')
    .map(({ node }) => resolve(node.member('init-values')?.value, lookup));
  const values = new Map<string, unknown>();
  for (const { type, node } of components) {
    const input = inputKindOf(type);
    const name = node.member('name')?.string;
    if (input === undefined || name === undefined) continue;
    const fromForm = ofForms.map((form) => own(form, name)).find((value) => value !== undefined);
    values.set(name, fromForm ?? resolve(node.member('init-value')?.value, lookup) ?? emptyValues[input]);
  }
  return values;
}

function withScreen(state: FlowState, screen: ScreenState): FlowState {
  return { ...state, screens: new Map(state.screens).set(state.stack.at(-1) ?? '', screen) };
}

function withoutError({ errorMessage: _, missingScreen: __, ...state }: FlowState): FlowState {
  return state;
}

function shownScreen({ stack }: FlowState): { screen?: string } {
  const screen = stack.at(-1);
  return screen === undefined ? {} : { screen };
}

function withRequest(state: FlowState, request: EndpointRequest): Transition {
  return { state: { ...state, status: 'waiting' }, effects: [{ type: 'request', request }] };
}

function withoutEffects(state: FlowState): Transition {
  return { state, effects: [] };
}
