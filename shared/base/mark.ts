/** Names a deployment in the requests that it sends, as a pseudonym in `Via` (RFC 9110, section 7.6.3). */
export type Mark = `messaging-service-${string}`;

/** Our own `Via`, because some proxies remove the other one. */
export const ownVia = 'messaging-service-via';

const markHeaders = ['via', ownVia];

/** The mark of the deployment with this id. */
export function markOf(deployment: string): Mark {
  return `messaging-service-${deployment}`;
}

/** The headers with the mark. Marks that they already carry stay. */
export function marked(headers: Readonly<Record<string, string>>, mark: Mark): Record<string, string> {
  const added = markHeaders.map((name) => [name, headers[name] ? `${headers[name]}, 1.1 ${mark}` : `1.1 ${mark}`]);
  return { ...headers, ...Object.fromEntries(added) };
}

/** Whether a request, whose headers `header` reads, has come through the deployment with this mark. */
export function carriesMark(header: (name: string) => string | undefined, mark: Mark): boolean {
  return markHeaders.some((name) => header(name)?.toLowerCase().includes(mark.toLowerCase()));
}
