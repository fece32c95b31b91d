import { isObject, type JsonObject } from '#shared/base/json/json-object.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';

/** What a phone, or the upstream's health check, asks a Flow's endpoint. */
export interface FlowRequest {
  /** `ping`, `INIT`, `data_exchange`, `BACK`, or what later versions add. */
  action: string;
  /** Of the data API, e.g. `3.0`. */
  version: string | undefined;
  /** The screen that the phone shows. */
  screen: string | undefined;
  /** The phone's error code, when the request only reports that an answer before this one was no good. */
  reportedError: string | undefined;
}

/** Reads a decrypted request; `undefined` when it is none. */
export function readFlowRequest(clear: Buffer): FlowRequest | undefined {
  const request = parseJson(clear);
  if (!isObject(request) || typeof request.action !== 'string') return undefined;
  return {
    action: request.action,
    version: text(request.version),
    screen: text(request.screen),
    reportedError: isObject(request.data) ? reportedError(request.data) : undefined,
  };
}

/** A customer's own form may have a field called `error`; a notice has the message too, or the key alone. */
function reportedError({ error, error_key, error_message }: JsonObject): string | undefined {
  return text(error_key) ?? (error_message === undefined ? undefined : text(error));
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
