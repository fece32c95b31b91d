import { log } from '#shared/base/logger.ts';
import type { Clock } from '#shared/base/time.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import { connectionError } from '#shared/graph/graph-client.ts';

export interface DownloadSettings {
  /** The URL of Graph. */
  baseUrl: string;
  /** The domains, with their subdomains, from which files may come, in addition to the host of Graph. */
  hosts: readonly string[];
  accessToken: () => Promise<string>;
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>;
  /** The last byte must arrive by this time, in epoch milliseconds. */
  deadline: number;
  now: Clock;
}

const maxRedirects = 3;

export type MediaDownload = ReturnType<typeof mediaDownload>;

/**
 * Downloads from the addresses that Graph returns for media (Meta, "Download media"). They need our token, which goes
 * only to the address's own origin and not to another one after a redirect. Addresses and redirects must lead to the
 * platform's own hosts, so that a forged or mistaken answer of Graph cannot send the token elsewhere.
 */
export function mediaDownload({ baseUrl, hosts, accessToken, headers: common, deadline, now }: DownloadSettings) {
  async function request(url: URL, withToken: boolean, signal: AbortSignal): Promise<Response> {
    if (!isTrusted(url, new URL(baseUrl), hosts)) {
      // The operator may have to add the host to the setting.
      log('error', 'media.host-not-allowed', { host: url.host, scheme: url.protocol });
      throw new UpstreamError('unavailable', 'The messaging platform named an address that is not safe.');
    }
    const headers = {
      ...common,
      // A compressed response would have a length other than the file's.
      'accept-encoding': 'identity',
      ...(withToken && { authorization: `Bearer ${await accessToken()}` }),
    };
    try {
      return await fetch(url, { headers, redirect: 'manual', signal });
    } catch (error) {
      throw signal.aborted ? outOfTime(error) : connectionError(error);
    }
  }

  async function follow(address: string, signal: AbortSignal): Promise<Response> {
    const start = parseUrl(address);
    let url = start;
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const response = await request(url, url.origin === start.origin, signal);
      const location = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || location === null) return response;
      await response.body?.cancel();
      url = parseUrl(location, url);
    }
    throw new UpstreamError('unavailable', 'The messaging platform redirects a download too often.');
  }

  /** Resolves with a stream of the file's bytes; `undefined` when the address does not exist (any more). */
  return async function download(address: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const left = deadline - now();
    if (left <= 0) throw outOfTime();
    const signal = AbortSignal.timeout(left);
    const response = await follow(address, signal);
    if (response.status === 200) return bytesOf(response, signal);
    await response.body?.cancel();
    if (response.status === 404 || response.status === 410) return undefined;
    throw new UpstreamError(
      failureOf(response.status),
      `The messaging platform responded to a download with ${response.status}.`,
      {
        ...(response.status === 429 && { retryAfterSeconds: 60 }),
      },
    );
  };
}

function failureOf(status: number) {
  if (status === 401 || status === 403) return 'credentials';
  return status === 429 ? 'rate-limited' : 'unavailable';
}

async function* bytesOf({ body }: Response, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body ?? []) yield chunk;
  } catch (error) {
    if (signal.aborted) throw outOfTime(error);
    throw new UpstreamError('unavailable', 'The messaging platform broke off a download.', { cause: error });
  }
}

/**
 * Whether an address is on one of the hosts and encrypted, or is on Graph's own host with the protocol that leads to
 * Graph: in a local world, neither is encrypted.
 */
export function isTrusted(url: URL, base: URL, hosts: readonly string[]): boolean {
  if (url.protocol === base.protocol && hostOf(url) === hostOf(base)) return true;
  return url.protocol === 'https:' && hosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`));
}

const hostOf = ({ hostname }: URL) => (['127.0.0.1', '[::1]'].includes(hostname) ? 'localhost' : hostname);

function parseUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href);
  if (url) return url;
  throw new UpstreamError('unavailable', 'The messaging platform sent an invalid address.');
}

function outOfTime(cause?: unknown): UpstreamError {
  return new UpstreamError('timeout', 'The messaging platform did not deliver the file in time.', { cause });
}
