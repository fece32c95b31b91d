import { requiredEnv } from '#shared/runtime/env.ts';

/** Names a deployment in the requests that it sends, as a pseudonym in `Via` (RFC 9110, section 7.6.3). */
export type Mark = `messaging-service-${string}`;

/** Our own `Via`, because some proxies remove the other one. */
export const ownVia = 'messaging-service-via';

const markHeaders = ['via', ownVia];

/** The mark of the deployment that this function belongs to, by its environment. */
export function deploymentMark(): Mark {
  return `messaging-service-${requiredEnv('DEPLOYMENT_ID')}`;
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
