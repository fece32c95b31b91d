import { isObject, listOf, own } from '#shared/base/json.ts';
import {
  destinationOf,
  type FlowDocument,
  readActions,
  readComponents,
  readFlow,
  successScreen,
  withDescendants,
} from '#shared/flow-json/document/read-flow.ts';
import { ParsedValue } from '#shared/flow-json/document/values.ts';

/** A finding about an endpoint's response. Phones accept such a response, but may not show it as intended. */
export interface ResponseFinding {
  readonly code:
    | 'no-route'
    | 'undeclared-data'
    | 'missing-data'
    | 'wrong-type'
    | 'no-params'
    | 'no-flow-token'
    | 'not-acknowledged';
  /** The screen or the member that it concerns, as in `data.slots[0].title`. */
  readonly path: string;
  /** The declared type, for `wrong-type`. */
  readonly expected?: string;
}

/** A member of `data` that no screen needs to declare. */
const errorMessageMember = 'error_message';

const paramsPath = 'data.extension_message_response.params';

/** A longer list would not help. */
const maxFindings = 20;

/**
 * Compares a response with the Flow (Meta's pages "Implementing endpoints for Flows" and "Flow JSON"). A response for a
 * screen that the Flow does not have has no findings.
 * @param shown the screen that sent the request; undefined if the Flow was just opened
 * @param response the decrypted JSON value
 */
export function responseFindings(flow: FlowOutline, shown: string | undefined, response: unknown): ResponseFinding[] {
  const screen = own(response, 'screen');
  const data = own(response, 'data');
  if (screen === successScreen) return finalFindings(data);
  const declared = typeof screen === 'string' ? flow.screens.get(screen) : undefined;
  if (typeof screen !== 'string' || declared === undefined) return [];
  return [...routeFindings(flow, shown, screen), ...dataFindings(declared, data, shown === screen)].slice(
    0,
    maxFindings,
  );
}

/** Findings about the response to a notice, which a phone sends to report that an earlier response was invalid. */
export function noticeFindings(response: unknown): ResponseFinding[] {
  const isAcknowledged = own(own(response, 'data'), 'acknowledged') === true;
  return isAcknowledged ? [] : [{ code: 'not-acknowledged', path: 'data.acknowledged' }];
}

function finalFindings(data: unknown): ResponseFinding[] {
  const params = own(own(data, 'extension_message_response'), 'params');
  if (!isObject(params)) return [{ code: 'no-params', path: paramsPath }];
  const hasToken = typeof own(params, 'flow_token') === 'string';
  return hasToken ? [] : [{ code: 'no-flow-token', path: `${paramsPath}.flow_token` }];
}

function routeFindings({ routes }: FlowOutline, shown: string | undefined, screen: string): ResponseFinding[] {
  if (shown === undefined || shown === screen || routes.size === 0) return [];
  const isRouted = routes.get(shown)?.includes(screen) || routes.get(screen)?.includes(shown);
  return isRouted ? [] : [{ code: 'no-route', path: screen }];
}

/** A response for the same screen may leave out data that does not change. */
function dataFindings(declared: ReadonlyMap<string, unknown>, data: unknown, isUpdate: boolean): ResponseFinding[] {
  const sent = new Map(isObject(data) ? Object.entries(data) : []);
  sent.delete(errorMessageMember);
  const missing = isUpdate ? [] : [...declared.keys()].filter((name) => !sent.has(name));
  return [
    ...missing.map((name): ResponseFinding => ({ code: 'missing-data', path: `data.${name}` })),
    ...[...sent].flatMap(([name, value]): ResponseFinding[] => {
      const path = `data.${name}`;
      return declared.has(name) ? typeFindings(declared.get(name), value, path) : [{ code: 'undeclared-data', path }];
    }),
  ];
}

/** Only the first wrong item of a list is reported: the others are most likely wrong in the same way. */
function typeFindings(schema: unknown, value: unknown, path: string): ResponseFinding[] {
  const expected = own(schema, 'type');
  if (typeof expected !== 'string') return [];
  const isOfType = typeChecks.get(expected);
  if (isOfType === undefined) return [];
  if (!isOfType(value)) return [{ code: 'wrong-type', path, expected }];
  for (const [index, item] of listOf(value).entries()) {
    const findings = typeFindings(own(schema, 'items'), item, `${path}[${index}]`);
    if (findings.length > 0) return findings;
  }
  const properties = own(schema, 'properties');
  if (!isObject(value) || !isObject(properties)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    typeFindings(own(properties, name), member, `${path}.${name}`),
  );
}

const typeChecks: ReadonlyMap<string, (value: unknown) => boolean> = new Map<string, (value: unknown) => boolean>([
  ['string', (value) => typeof value === 'string'],
  ['number', (value) => typeof value === 'number'],
  ['integer', (value) => Number.isInteger(value)],
  ['boolean', (value) => typeof value === 'boolean'],
  ['array', Array.isArray],
  ['object', isObject],
]);

/** The parts of a Flow JSON that its endpoint depends on. */
export interface FlowOutline {
  /** Undefined for a Flow without an endpoint. */
  readonly dataApiVersion: string | undefined;
  /** The schemas of the data that each screen declares, by screen id. */
  readonly screens: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
  /** The screens that each screen leads to. */
  readonly routes: ReadonlyMap<string, readonly unknown[]>;
  /** The screens on which the Flow can open: those to which no other leads, or all if there are none. */
  readonly entries: readonly string[];
}

/** @param json what `JSON.parse` made of a Flow JSON, which may be an invalid draft */
export function readOutline(json: unknown): FlowOutline {
  const document = readFlow(new ParsedValue(json));
  const { dataApiVersion, screens, routes } = document;
  const identified = screens.filter(({ id }) => id !== '');
  return {
    dataApiVersion,
    screens: new Map(identified.map(({ id, data }) => [id, valuesOf(data)])),
    routes: new Map([...routes].map(([id, next]) => [id, next.map(({ value }) => value)])),
    entries: entriesOf(
      identified.map(({ id }) => id),
      routes.size > 0 ? [...routes] : navigationsOf(document),
    ),
  };
}

/** The screens that each screen leads to, and perhaps itself. */
type Routes = readonly (readonly [from: string, to: readonly ParsedValue[]])[];

function entriesOf(screens: readonly string[], routes: Routes): string[] {
  const targets = new Set(
    routes.flatMap(([from, to]) => to.map(({ string }) => string).filter((screen) => screen !== from)),
  );
  const entries = screens.filter((screen) => !targets.has(screen));
  return entries.length > 0 ? entries : [...screens];
}

/** The routes of a Flow without a routing model: its actions lead from one screen to another. */
function navigationsOf({ screens }: FlowDocument<ParsedValue>): Routes {
  return screens.map((screen) => {
    const actions = withDescendants(readComponents(screen)).flatMap(readActions);
    return [screen.id, actions.flatMap((action) => destinationOf(action) ?? [])];
  });
}

function valuesOf(members: ReadonlyMap<string, ParsedValue>): Map<string, unknown> {
  return new Map([...members].map(([name, { value }]) => [name, value]));
}
