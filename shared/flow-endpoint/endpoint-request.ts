import { isObject, type JsonObject, parseJson } from '#shared/base/json.ts';

/** A request of a phone, or of the upstream's health check, to a Flow's endpoint. */
export interface FlowRequest {
  /** `ping`, `INIT`, `data_exchange`, `BACK`, or an action that a later version adds. */
  action: string;
  /** The version of the data API, e.g. `3.0`. */
  version: string | undefined;
  /** The screen that the phone shows. */
  screen: string | undefined;
  /** The phone's error code, when the request only reports that an earlier response was invalid. */
  reportedError: string | undefined;
  /** Some phones omit it. */
  flowToken: string | undefined;
}

/** Reads a decrypted request; `undefined` when it is not one. */
export function readFlowRequest(clear: Buffer): FlowRequest | undefined {
  const request = parseJson(clear);
  if (!isObject(request) || typeof request.action !== 'string') return undefined;
  return {
    action: request.action,
    version: text(request.version),
    screen: text(request.screen),
    reportedError: isObject(request.data) ? reportedError(request.data) : undefined,
    flowToken: text(request.flow_token),
  };
}

/** A customer's own form may have a field called `error`. An error report also has the message, or only the key. */
function reportedError({ error, error_key, error_message }: JsonObject): string | undefined {
  return text(error_key) ?? (error_message === undefined ? undefined : text(error));
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
