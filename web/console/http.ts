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

export const noResponse = 'The local world does not respond. Is "npm start" still running?';

export const getJson = <T>(path: string): Promise<T> => sendJson('GET', path);

/**
 * Sends a request, with a JSON body if there is one.
 * @throws RequestFailed for a response that is not a success, and an error with words for people if there is none
 */
export async function sendJson<T>(method: string, path: string, body?: unknown): Promise<T> {
  const text = await sendText(method, path, body === undefined ? undefined : JSON.stringify(body));
  return parsedOrText(text) as T;
}

/** The same with a body as it is: a file, or a text in which the digits of numbers stay. */
export async function sendText(method: string, path: string, body?: string | Blob): Promise<string> {
  const response = await fetch(path, {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body }),
  }).catch(() => {
    throw new Error(noResponse);
  });
  const text = await response.text();
  if (!response.ok) throw new RequestFailed(response.status, parsedOrText(text));
  return text;
}

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The service responds with `{message}`, the simulated platform with `{error: {message}}`. */
function messageIn(body: unknown): string | undefined {
  const { message, error } = Object(body) as { message?: unknown; error?: { message?: unknown } };
  const text = message ?? error?.message;
  return typeof text === 'string' ? text : undefined;
}

/** What an error says to people. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
