import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** The names of this machine in a URL. */
export const localHosts = ['localhost', '127.0.0.1', '[::1]'];

/** What containers call this machine (`sam local`). */
export const containerHost = 'host.docker.internal';

export interface LocalRequestOptions {
  /** Further names of this machine, in lower case. */
  hosts?: readonly string[] | undefined;
  /** Whether it responds under any address in numbers. Nobody can make such a name lead to another machine. */
  acceptsAddresses?: boolean;
  /**
   * What it takes from pages of other origins: nothing by default. A server that asks for a token may let them read,
   * and one that asks for signatures may take everything. The tokens of the local world are known to everybody.
   */
  acceptsFromForeignPages?: 'reads' | 'all';
}

/**
 * Passes on only requests that are meant for this machine. Listening on loopback does not keep web pages out. A page
 * can reach this server under its own host name if that resolves to 127.0.0.1 (DNS rebinding), and any page can submit
 * a form, load a picture or hold a stream open.
 */
export function localRequests(
  handle: RequestListener,
  { hosts = [], acceptsAddresses = false, acceptsFromForeignPages }: LocalRequestOptions,
): RequestListener {
  const names = new Set([...localHosts, ...hosts]);
  const isAccepted = (request: IncomingMessage) =>
    acceptsFromForeignPages === 'all' ||
    (acceptsFromForeignPages === 'reads' && ['GET', 'HEAD', 'OPTIONS'].includes(request.method ?? '')) ||
    isLink(request);
  return (request, response) => {
    const { host = '' } = request.headers;
    const name = nameOf(host);
    if (hasSeveralHosts(request)) {
      reject(request, response, 400, 'The request has more than one Host header.');
    } else if (!(names.has(name) || (acceptsAddresses && /^[\d.]+$/.test(name)))) {
      reject(
        request,
        response,
        421,
        `This server responds only to ${listOf([...names])}, not to "${host}". Add names with LOCAL_HOSTS.`,
      );
    } else if (isForeign(request) && !isAccepted(request)) {
      reject(request, response, 403, 'This server does not respond to web pages of other sites or ports.');
    } else {
      handle(request, response);
    }
  };
}

/**
 * Whether a request names more than one host (RFC 9112, section 3.2). Node reads the first, and a proxy in front may
 * have read the other.
 */
const hasSeveralHosts = ({ headersDistinct }: IncomingMessage) => (headersDistinct.host?.length ?? 0) > 1;

/** Joins names: `a, b and c`. */
const listOf = (names: readonly string[]) => new Intl.ListFormat('en-GB').format(names);

/** The name in `localhost:3000`, or an empty text. */
function nameOf(host: string): string {
  return /^(\[[\da-f:.]+\]|[^\s:@/?#]+)(?::\d+)?$/i.exec(host)?.[1]?.toLowerCase() ?? '';
}

/**
 * Whether a page of another origin sends the request: another port of this machine is one, too. Browsers say in these
 * headers where a request comes from, and older ones only in `Origin`. Other clients send neither.
 */
function isForeign({ headers: { host = '', origin, 'sec-fetch-site': site } }: IncomingMessage): boolean {
  if (site !== undefined) return site === 'cross-site' || site === 'same-site';
  return origin !== undefined && URL.parse(origin)?.host !== host.toLowerCase();
}

/** Whether somebody follows a link to this server, and leaves the page that has it. */
function isLink({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    headers.origin === undefined &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document'
  );
}

function reject(request: IncomingMessage, response: ServerResponse, status: number, message: string): void {
  request.resume();
  response.writeHead(status, { 'content-type': 'application/json', 'x-content-type-options': 'nosniff' });
  response.end(JSON.stringify({ message }));
}
