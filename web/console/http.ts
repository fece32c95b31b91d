/** A response of the service or of the simulated platform that is an error. */
export class RequestFailed extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(messageIn(body) ?? `The response was ${status}.`);
    this.status = status;
    this.body = body;
  }
}

export const getJson = <T>(path: string): Promise<T> => sendJson('GET', path);

/** Sends a request, with a JSON body if there is one. @throws RequestFailed for a response that is no success */
export function sendJson<T>(method: string, path: string, body?: unknown): Promise<T> {
  return send(method, path, body === undefined ? undefined : JSON.stringify(body));
}

/** Sends a file of JSON as it is. @throws RequestFailed for a response that is no success */
export const sendFile = <T>(method: string, path: string, file: File): Promise<T> => send(method, path, file);

async function send<T>(method: string, path: string, body: string | File | undefined): Promise<T> {
  const response = await fetch(path, {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body }),
  });
  const text = await response.text();
  const parsed = parsedOrText(text);
  if (!response.ok) throw new RequestFailed(response.status, parsed);
  return parsed as T;
}

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The service answers `{message}`, the simulated platform `{error: {message}}`. */
function messageIn(body: unknown): string | undefined {
  const { message, error } = Object(body) as { message?: unknown; error?: { message?: unknown } };
  const text = message ?? error?.message;
  return typeof text === 'string' ? text : undefined;
}
