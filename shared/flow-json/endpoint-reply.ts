import { isObject, own } from './json.ts';
import type { Flow, Screen } from './model.ts';

const TERMINAL = 'SUCCESS';
/** Members of `data` that every screen knows. */
const RESERVED_DATA = ['error_message'];

/**
 * What is wrong with an endpoint's answer, in sentences: phones show a blank screen or stay where they are and never say why.
 * @param shown the screen that asked; none when the Flow was just opened
 * @param reply the answer, decrypted
 */
export function replyProblems(flow: Flow, shown: string | undefined, reply: unknown): string[] {
  const id = own(reply, 'screen');
  const data = own(reply, 'data');
  if (typeof id !== 'string') return ["The endpoint's answer names no screen."];
  if (id === TERMINAL) {
    const params = own(own(data, 'extension_message_response'), 'params');
    if (isObject(params)) return [];
    return ["The endpoint's last answer has no data.extension_message_response.params."];
  }
  const screen = flow.screens.get(id);
  if (screen === undefined) return [`The endpoint answered with screen '${id}', which the Flow does not have.`];
  return [...routeProblems(flow, shown, id), ...dataProblems(screen, data, shown === id)];
}

function routeProblems(flow: Flow, shown: string | undefined, id: string): string[] {
  if (shown === undefined || shown === id) return [];
  const isRouted = flow.routes.get(shown)?.includes(id) || flow.routes.get(id)?.includes(shown);
  return isRouted ? [] : [`The routing model has no route from screen '${shown}' to screen '${id}'.`];
}

/** An answer for the screen that asked may leave out what stays. */
function dataProblems(screen: Screen, data: unknown, isUpdate: boolean): string[] {
  const sent = isObject(data) ? Object.keys(data) : [];
  const undeclared = sent.filter((name) => !screen.data.has(name) && !RESERVED_DATA.includes(name));
  const missing = isUpdate ? [] : [...screen.data.keys()].filter((name) => !sent.includes(name));
  return [
    ...undeclared.map((name) => `The endpoint sent '${name}', which screen '${screen.id}' does not declare.`),
    ...missing.map((name) => `The endpoint did not send '${name}', which screen '${screen.id}' declares.`),
  ];
}
