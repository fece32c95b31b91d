import { localHosts, nameOf } from './local-requests.ts';
import { headerOf, type RawMessage } from './message-splitter.ts';

/** What containers call this machine (`sam local`). */
export const containerHost = 'host.docker.internal';

const ownNames = [...localHosts, containerHost];

/**
 * Why a local AWS service rejects a request, whatever it asks for: it came under another host name (DNS rebinding), or
 * from a web page. Clients of AWS send neither `Origin` nor `Sec-Fetch-Site`. Undefined if it does not.
 */
export function foreignness(request: RawMessage): string | undefined {
  const host = headerOf(request, /^host:(.*)$/im);
  if (!isOwn(nameOf(host))) return `The local AWS responds only to its own addresses, not to "${host}".`;
  return /^(?:origin|sec-fetch-site):/im.test(request.head)
    ? 'The local AWS does not respond to web pages.'
    : undefined;
}

/** An address in numbers is not a name that somebody could make lead here. */
const isOwn = (name: string) => ownNames.includes(name) || /^[\d.]+$/.test(name);
