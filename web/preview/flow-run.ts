import { isObject, type JsonObject, own } from '#shared/base/json.ts';
import { requestVersion } from '#shared/flow-json/document/versions.ts';
import { checkInput } from '#shared/flow-json/play/check-input.ts';
import type { Flow } from '#shared/flow-json/play/model.ts';
import type { VisibleComponent } from '#shared/flow-json/play/resolve-values.ts';
import {
  currentComponents,
  type Effect,
  type EndpointRequest,
  type FlowState,
  inputValue,
  jumpTo,
  reduce,
  start,
  type Transition,
} from '#shared/flow-json/play/state.ts';
import { decoded } from './decoded.ts';
import type { ExchangeResult } from './request-exchange.ts';
import type { Say } from './say.ts';
import { asText, idOf, nameOf, type Ui } from './ui.ts';

/** Something that happened in the Flow, for the list beside the phone. */
export interface Activity {
  readonly at: Date;
  /** The kind of activity, such as `data_exchange` or `navigate`. */
  readonly name: string;
  readonly screen?: string | undefined;
  readonly request?: unknown;
  readonly answer?: unknown;
  readonly status?: number | undefined;
  readonly durationMs?: number;
  /** An explanation of what is wrong with it. */
  readonly problems?: readonly string[];
}

/** Older activities are dropped. */
const maxActivities = 100;

export interface FlowRunOptions {
  readonly flow: Flow;
  readonly say: Say;
  readonly changed: () => void;
  /** How the Flow opens. Defaults to its first screen with example data. */
  readonly open?: (flow: Flow) => Transition;
  /** Makes an exchange with the endpoint. */
  readonly exchange: (request: EndpointRequest) => Promise<ExchangeResult>;
  /** Picks a file that will be sent, and returns the value that stands for it. Otherwise files stay in the browser. */
  readonly pick?: (file: File) => unknown;
  /** Gets the final response, when the Flow is completed. */
  readonly completed?: (response: JsonObject) => void;
}

/** A running Flow: its state, the effects that it requests, and its activities so far. */
export class FlowRun {
  readonly flow: Flow;
  readonly ui: Ui;
  state: FlowState;
  activities: readonly Activity[] = [];
  readonly #options: FlowRunOptions;
  /** Whether to show the faults of all inputs, and not only of those that were touched. */
  #showsAllFaults = false;
  /** Responses to requests of an earlier run are ignored. */
  #generation = 0;

  constructor(options: FlowRunOptions) {
    this.#options = options;
    this.flow = options.flow;
    this.ui = {
      say: options.say,
      value: (name) => inputValue(this.state, name),
      setValue: (component, value) => this.#take(reduce(this.flow, this.state, { type: 'input', component, value })),
      pick: options.pick,
      act: (action) => this.#act(action),
      submit: (action) => this.#submit(action),
      fault: (component) => this.#faultToShow(component),
    };
    this.state = start(this.flow).state;
  }

  /** Opens the Flow at its start, with an empty list of activities. */
  restart(): void {
    this.activities = [];
    this.open();
  }

  /** Opens the Flow anew. */
  open(): void {
    const { open = start } = this.#options;
    this.#begin(open(this.flow));
  }

  /** Shows only the screen that the page's address names after its `#`. Without a name, opens the Flow. */
  followLink(): void {
    const screen = linkedScreen();
    if (this.flow.screens.has(screen)) this.#begin({ state: jumpTo(this.flow, screen), effects: [] });
    else if (screen === '' || this.state.stack.length === 0) this.open();
  }

  back(): void {
    const transition = reduce(this.flow, this.state, { type: 'back' });
    if (transition.state !== this.state) this.#note({ name: 'back' });
    this.#take(transition);
  }

  #begin(transition: Transition): void {
    this.#generation += 1;
    this.#take(transition);
  }

  #submit(action: unknown): void {
    const faulty = currentComponents(this.flow, this.state).find((component) => this.#fault(component) !== undefined);
    if (faulty === undefined) {
      this.#act(action);
      return;
    }
    this.#showsAllFaults = true;
    this.#options.changed();
    document.getElementById(idOf(faulty))?.focus();
  }

  #act(action: unknown): void {
    const name = asText(own(action, 'name'));
    const before = this.state.stack.at(-1);
    const transition = reduce(this.flow, this.state, { type: 'act', action });
    if (transition.state === this.state) return;
    if (name === 'navigate')
      this.#note({ name, screen: transition.state.stack.at(-1), request: this.#dataOf(transition) });
    if (name === 'complete') this.#note({ name, screen: before, request: transition.state.response });
    this.#take(transition);
  }

  #dataOf({ state }: Transition): unknown {
    return Object.fromEntries(state.screens.get(state.stack.at(-1) ?? '')?.data ?? []);
  }

  #take({ state, effects }: Transition): void {
    if (state.stack.join() !== this.state.stack.join()) this.#showsAllFaults = false;
    const isCompletedNow = state.status === 'completed' && this.state.status !== 'completed';
    this.state = state;
    this.#options.changed();
    if (isCompletedNow) this.#options.completed?.(state.response ?? {});
    this.#perform(effects);
  }

  #perform(effects: readonly Effect[]): void {
    for (const effect of effects) {
      if (effect.type === 'open-url') this.#openUrl(effect.url);
      else void this.#ask(effect.request);
    }
  }

  #openUrl(url: string): void {
    this.#note({ name: 'open_url', request: url });
    window.open(url, '_blank', 'noopener,noreferrer');
  }

  async #ask(request: EndpointRequest): Promise<void> {
    const generation = this.#generation;
    const at = new Date();
    const { answer, status, fault, problems = [] } = await this.#options.exchange(request);
    if (generation !== this.#generation) return;
    this.#note({
      at,
      name: request.action,
      screen: request.screen,
      request: { version: requestVersion(this.flow.dataApiVersion), ...request, flow_token: this.flow.token },
      answer,
      status,
      durationMs: Date.now() - at.getTime(),
      problems: fault === undefined ? problems : [fault, ...problems],
    });
    const event =
      fault === undefined
        ? { type: 'response' as const, response: answer }
        : { type: 'failure' as const, message: fault };
    this.#take(reduce(this.flow, this.state, event));
  }

  #note(activity: Omit<Activity, 'at'> & { at?: Date }): void {
    this.activities = [...this.activities, { at: new Date(), ...activity }].slice(-maxActivities);
  }

  #fault(component: VisibleComponent): string | undefined {
    if (own(component.properties, 'enabled') === false) return undefined;
    const fault = checkInput(component, inputValue(this.state, nameOf(component)));
    return fault && this.#options.say(fault.code, { limit: fault.limit ?? '' });
  }

  /** An error message that the Flow sets is shown until the input is touched. */
  #faultToShow(component: VisibleComponent): string | undefined {
    const isTouched = this.state.screens.get(this.state.stack.at(-1) ?? '')?.touched.has(nameOf(component));
    const message = wordsIn(own(component.properties, 'error-message'));
    if (!isTouched && message !== '') return message;
    const isShown = this.#showsAllFaults || (isTouched && isPicker(component));
    return isShown ? this.#fault(component) : undefined;
  }
}

/** Dates and files are picked as a whole, while typed text may be incomplete. */
const isPicker = ({ type }: VisibleComponent): boolean => type.endsWith('Picker');

const linkedScreen = () => decoded(location.hash.slice(1));

/** The two dates of a period, and single files, may each have their own message. */
function wordsIn(message: unknown): string {
  return isObject(message) ? Object.values(message).map(asText).join(' ') : asText(message);
}
