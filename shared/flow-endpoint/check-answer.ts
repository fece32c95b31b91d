import { isObject, type JsonObject } from '../notifications/json-object.ts';
import type { Attempt } from '../outgoing/send.ts';
import type { Fault } from './fault.ts';
import { parseJson } from './parse-json.ts';
import type { FlowRequest } from './request.ts';
import type { Screens } from './screens.ts';

/** The customer's answer as it may be relayed, or why it may not. */
export type Verdict =
  | {
      relayed: true;
      status: 200 | 421 | 427;
      body: Buffer;
      contentType?: string | undefined;
      screen?: string;
      fault?: Fault;
    }
  | { relayed: false; fault: Fault };

/** Ends a Flow; no Flow JSON lists it. */
const successScreen = 'SUCCESS';

const screenActions = ['INIT', 'data_exchange', 'BACK'];

const refused = (fault: Fault): Verdict => ({ relayed: false, fault });

/**
 * Checks a clear answer by what a phone would make of it. The screen that the phone shows counts as known whatever the
 * Flow JSON says: phones go on with the version that they opened.
 */
export function checkAnswer(request: FlowRequest, attempt: Attempt, screens: Screens): Verdict {
  if (attempt.outcome === 'failed') return refused(attempt.error);
  const { status, body } = attempt;
  if (status !== 200 && status !== 427) return refused('status');
  if (attempt.truncated) return refused('too-large');
  if (status === 427 && body.length === 0) return { relayed: true, status, body };
  const answer = parseJson(body);
  if (!isObject(answer)) return refused('not-json');
  if (status === 427) return { relayed: true, status, body };
  if (request.action === 'ping') return checkPing(answer, body);
  if (request.reportedError !== undefined || !screenActions.includes(request.action)) {
    return { relayed: true, status, body };
  }
  return checkScreen(request, answer, body, screens);
}

/** The same for an answer that only the phone can decrypt: all that can be seen is whether it may be one. */
export function checkSealedAnswer(attempt: Attempt): Verdict {
  if (attempt.outcome === 'failed') return refused(attempt.error);
  const { status, body } = attempt;
  if (status !== 200 && status !== 421 && status !== 427) return refused('status');
  if (attempt.truncated) return refused('too-large');
  if (status === 200 && !isBase64(body.toString('latin1'))) return refused('not-base64');
  return { relayed: true, status, body, contentType: attempt.headers['content-type'] };
}

/** White space is taken off first: matched beside the rest, it would make a hostile answer take quadratic time. */
function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text.replace(/\s/g, ''));
}

function checkPing({ data }: JsonObject, body: Buffer): Verdict {
  return isObject(data) && data.status === 'active' ? { relayed: true, status: 200, body } : refused('not-active');
}

function checkScreen(request: FlowRequest, answer: JsonObject, body: Buffer, screens: Screens): Verdict {
  const { screen, data = {} } = answer;
  if (typeof screen !== 'string') return refused('no-screen');
  if (!isObject(data) || !isWellTyped(data)) return refused('invalid-data');
  const relayed = { relayed: true, status: 200, body, screen } as const;
  if (screen === successScreen || screens.size === 0) return relayed;
  const declared = screens.get(screen);
  if (declared === undefined) return screen === request.screen ? relayed : refused('unknown-screen');
  const undeclared = Object.keys(data).some((name) => name !== 'error_message' && !declared.has(name));
  return undeclared ? { ...relayed, fault: 'undeclared-data' } : relayed;
}

/** The members that a phone itself acts on. */
function isWellTyped({ error_message, extension_message_response: response }: JsonObject): boolean {
  const isText = error_message === undefined || typeof error_message === 'string';
  return isText && (response === undefined || (isObject(response) && isObject(response.params)));
}
