import { isObject } from '#shared/base/json.ts';

/** What must not leave in a response: secrets of the workspace, and links that need our token or have one. */
export interface Withheld {
  secrets: readonly string[];
  /** The hosts, in lower case, whose links need our token. */
  hosts: readonly string[];
}

/** The platform's host for files, and Graph itself. Pictures of profiles and templates are on other, public hosts. */
const hostsWithToken = ['lookaside.fbsbx.com', 'graph.facebook.com'];

/** What is shorter is no secret, and would be found in any text. */
const shortestSecret = 6;

export function withheld(secrets: readonly string[], baseUrl: string): Withheld {
  const real = secrets.filter(({ length }) => length >= shortestSecret);
  const all = real.flatMap((secret) => [secret, encodeURIComponent(secret)]);
  return {
    // A longer secret may contain a shorter one.
    secrets: [...new Set(all)].sort((a, b) => b.length - a.length),
    hosts: [...hostsWithToken, new URL(baseUrl).host.toLowerCase()],
  };
}

/** A link, perhaps with the slashes that JSON escapes. */
const link = /(?:https?:)?(?:\\?\/){2}[^\s"'<>]+/gi;
const tokenInLink = /(?:access_token|input_token|appsecret_proof|client_secret)=/;

/** A link inside another link is percent-encoded, perhaps several times. */
function needsToken(text: string, hosts: readonly string[]): boolean {
  const decoded = text
    .replace(/%(?:25)+/g, '%')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll('\\', '')
    .toLowerCase();
  return tokenInLink.test(decoded) || hosts.some((host) => decoded.includes(host));
}

/** A text without what must not leave. */
export function cleanText(text: string, { secrets, hosts }: Withheld): string {
  const rest = text.replace(link, (found) => (needsToken(found, hosts) ? '…' : found));
  return secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, '…'), rest);
}

/** A response without what must not leave. A member that is nothing else is missing. */
export function cleanResponse(value: unknown, without: Withheld): unknown {
  if (typeof value === 'string') return cleanText(value, without);
  const isKept = (member: unknown) =>
    typeof member !== 'string' || member === '…' || cleanText(member, without) !== '…';
  if (Array.isArray(value)) return value.filter(isKept).map((item) => cleanResponse(item, without));
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => isKept(member));
  return Object.fromEntries(
    members.map(([name, member]) => [cleanText(name, without), cleanResponse(member, without)]),
  );
}
