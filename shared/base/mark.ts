/**
 * Identifies a deployment in the requests that it sends, as a pseudonym in `Via` (RFC 9110, section 7.6.3). The senders
 * and the receivers of requests share this module.
 */
export type Mark = `messaging-service-${string}`;

/** Our own counterpart of `Via`, because some proxies remove the standard header. */
export const ownVia = 'messaging-service-via';

const markHeaders = ['via', ownVia];

export function markOf(deployment: string): Mark {
  return `messaging-service-${deployment}`;
}

/** Adds the mark to the headers and keeps the marks that they already have. */
export function addMark(headers: Readonly<Record<string, string>>, mark: Mark): Record<string, string> {
  const added = markHeaders.map((name) => [name, headers[name] ? `${headers[name]}, 1.1 ${mark}` : `1.1 ${mark}`]);
  return { ...headers, ...Object.fromEntries(added) };
}

/** Whether a request has passed through the deployment with this mark. `header` reads the request's headers. */
export function hasMark(header: (name: string) => string | undefined, mark: Mark): boolean {
  return markHeaders.some((name) => header(name)?.toLowerCase().includes(mark.toLowerCase()));
}
