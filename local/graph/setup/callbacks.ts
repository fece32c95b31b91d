import { STATUS_CODES } from 'node:http';
import type { HandshakeFault, WebhookSender } from '../events/webhook-sender.ts';
import { GraphError } from '../http/graph-errors.ts';
import { missing, type Params, stringParam } from '../http/params.ts';

/** A URL to which events can go, with the token that its owner expects in the handshake. */
export interface NewCallback {
  readonly url: string;
  readonly verifyToken: string;
}

/** Throws if the URL does not complete the handshake. */
export type Handshake = (callback: NewCallback) => Promise<void>;

/** Graph's handshake, which fails with the code 2200. */
export function handshakeOf(sender: WebhookSender): Handshake {
  return async ({ url, verifyToken }) => {
    const fault = await sender.handshake(url, verifyToken);
    if (fault === undefined) return;
    const what = `Callback verification failed with the following errors: ${describeFault(fault)}`;
    throw new GraphError('callback_not_verified', what);
  };
}

function describeFault({ status, answer, challenge }: HandshakeFault): string {
  if (status === null) return `curl_error = ${answer}`;
  if (status !== 200) return `HTTP Status Code = ${status}; HTTP Message = ${STATUS_CODES[status] ?? ''}`;
  return `Response does not match challenge, expected value = '${challenge}', received = '${answer.slice(0, 100)}'`;
}

/** Callbacks that belong to somebody else. Their host names never resolve. */
export const elsewhere = {
  app: 'https://app.elsewhere.invalid/webhook',
  account: 'https://account.elsewhere.invalid/webhook',
  number: 'https://number.elsewhere.invalid/webhook',
} as const;

/** Meta's page "Webhook overrides". */
const overrideLength = 200;

/** The callback of an app. */
export function readCallback(params: Params): NewCallback {
  const url = stringParam(params, 'callback_url');
  if (url === undefined) throw missing('callback_url');
  return { url: httpUrl(url, 'callback_url'), verifyToken: tokenIn(params) };
}

/** The callback that replaces the app's one for an account or a number. Undefined if the parameter is missing or empty. */
export function readOverride(params: Params): NewCallback | undefined {
  const name = 'override_callback_uri';
  const url = stringParam(params, name);
  if (url === undefined || url === '') return undefined;
  if (url.length > overrideLength) {
    throw new GraphError('invalid_parameter', `Param ${name} must be at most ${overrideLength} characters long`);
  }
  return { url: httpUrl(url, name), verifyToken: tokenIn(params) };
}

function tokenIn(params: Params): string {
  const token = stringParam(params, 'verify_token');
  if (token === undefined) throw missing('verify_token');
  return token;
}

function httpUrl(text: string, name: string): string {
  const url = URL.parse(text);
  if (url !== null && ['http:', 'https:'].includes(url.protocol)) return text;
  throw new GraphError('invalid_parameter', `Param ${name} must be a valid URI`);
}
