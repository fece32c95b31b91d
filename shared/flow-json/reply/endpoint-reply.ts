import { isObject, listOf, own } from '#shared/base/json/json-object.ts';
import { successScreen } from '../document/success-screen.ts';
import type { FlowOutline } from './outline.ts';

/** A problem with an endpoint's reply. Phones accept such a reply, but may not show it as intended. */
export interface ReplyProblem {
  readonly code:
    | 'no-route'
    | 'undeclared-data'
    | 'missing-data'
    | 'wrong-type'
    | 'no-params'
    | 'no-flow-token'
    | 'not-acknowledged';
  /** The screen or the member with the problem, as in `data.slots[0].title`. */
  readonly path: string;
  /** The declared type, for `wrong-type`. */
  readonly expected?: string;
}

/** A member of `data` that no screen needs to declare. */
const errorMessageMember = 'error_message';

const paramsPath = 'data.extension_message_response.params';

/** A longer list helps nobody. */
const maxProblems = 20;

/**
 * Compares a reply with the Flow (Meta's pages "Implementing endpoints for Flows" and "Flow JSON"). A reply for a
 * screen that the Flow does not have has no problems.
 * @param shown the screen that sent the request; undefined if the Flow was just opened
 * @param reply the decrypted JSON value
 */
export function replyProblems(flow: FlowOutline, shown: string | undefined, reply: unknown): ReplyProblem[] {
  const screen = own(reply, 'screen');
  const data = own(reply, 'data');
  if (screen === successScreen) return finalProblems(data);
  const declared = typeof screen === 'string' ? flow.screens.get(screen) : undefined;
  if (typeof screen !== 'string' || declared === undefined) return [];
  return [...routeProblems(flow, shown, screen), ...dataProblems(declared, data, shown === screen)].slice(
    0,
    maxProblems,
  );
}

/** Problems with the reply to a notice, which a phone sends to report that an earlier reply was invalid. */
export function noticeProblems(reply: unknown): ReplyProblem[] {
  const isAcknowledged = own(own(reply, 'data'), 'acknowledged') === true;
  return isAcknowledged ? [] : [{ code: 'not-acknowledged', path: 'data.acknowledged' }];
}

function finalProblems(data: unknown): ReplyProblem[] {
  const params = own(own(data, 'extension_message_response'), 'params');
  if (!isObject(params)) return [{ code: 'no-params', path: paramsPath }];
  const hasToken = typeof own(params, 'flow_token') === 'string';
  return hasToken ? [] : [{ code: 'no-flow-token', path: `${paramsPath}.flow_token` }];
}

function routeProblems({ routes }: FlowOutline, shown: string | undefined, screen: string): ReplyProblem[] {
  if (shown === undefined || shown === screen || routes.size === 0) return [];
  const isRouted = routes.get(shown)?.includes(screen) || routes.get(screen)?.includes(shown);
  return isRouted ? [] : [{ code: 'no-route', path: screen }];
}

/** A reply for the same screen may leave out data that does not change. */
function dataProblems(declared: ReadonlyMap<string, unknown>, data: unknown, isUpdate: boolean): ReplyProblem[] {
  const sent = new Map(isObject(data) ? Object.entries(data) : []);
  sent.delete(errorMessageMember);
  const missing = isUpdate ? [] : [...declared.keys()].filter((name) => !sent.has(name));
  return [
    ...missing.map((name): ReplyProblem => ({ code: 'missing-data', path: `data.${name}` })),
    ...[...sent].flatMap(([name, value]): ReplyProblem[] => {
      const path = `data.${name}`;
      return declared.has(name) ? typeProblems(declared.get(name), value, path) : [{ code: 'undeclared-data', path }];
    }),
  ];
}

/** Only the first wrong item of a list is reported: the others are most likely wrong in the same way. */
function typeProblems(schema: unknown, value: unknown, path: string): ReplyProblem[] {
  const expected = own(schema, 'type');
  if (typeof expected !== 'string') return [];
  const isOfType = typeChecks.get(expected);
  if (isOfType === undefined) return [];
  if (!isOfType(value)) return [{ code: 'wrong-type', path, expected }];
  for (const [index, item] of listOf(value).entries()) {
    const problems = typeProblems(own(schema, 'items'), item, `${path}[${index}]`);
    if (problems.length > 0) return problems;
  }
  const properties = own(schema, 'properties');
  if (!isObject(value) || !isObject(properties)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    typeProblems(own(properties, name), member, `${path}.${name}`),
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
