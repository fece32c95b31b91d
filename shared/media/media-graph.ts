import * as z from 'zod/mini';
import { own } from '#shared/base/json.ts';
import { log } from '#shared/base/logger.ts';
import type { Clock } from '#shared/base/time.ts';
import { isNoSuchObject, UpstreamError } from '#shared/base/upstream-error.ts';
import {
  acknowledged,
  connectionError,
  type FileToUpload,
  type GraphClient,
  multipartForm,
  parseResponse,
} from '#shared/graph/graph-client.ts';
import { extensionOf } from './file-types.ts';

export interface UpstreamFile {
  /** The address needs our token and works for five minutes. */
  url: string;
  mimeType: string;
  /** Bytes. */
  size: number | undefined;
  /** Hex. */
  sha256: string | undefined;
}

const description = z.object({
  url: z.string(),
  mime_type: z.string(),
  sha256: z.optional(z.nullable(z.string())),
  /** A string in Graph's schema, a number in its responses. */
  file_size: z.optional(z.nullable(z.union([z.number(), z.string()]))),
});

export type UpstreamMedia = ReturnType<typeof upstreamMedia>;

/** Describes and deletes media (Meta, "Media"). Throws `UpstreamError` on failure. */
export function upstreamMedia(call: GraphClient) {
  return {
    /**
     * Resolves with `unknown` if the upstream does not have the file, or if it belongs to another number. Resolves with
     * `expired` only if the upstream says so, which it rarely does.
     */
    async describe(media: string, phoneNumberId: string): Promise<UpstreamFile | 'unknown' | 'expired'> {
      try {
        const path = encodeURIComponent(media);
        const response = await call({ method: 'GET', path, query: { phone_number_id: phoneNumberId } });
        if (isAnotherObject(response)) return 'unknown';
        const { url, mime_type, file_size, sha256 } = parseResponse(description, response);
        return { url, mimeType: mime_type, size: readSize(file_size), sha256: readSha256(sha256) };
      } catch (error) {
        if (saysExpired(error)) return 'expired';
        if (isNoSuchObject(error) || isNoSuchAlias(error)) return 'unknown';
        if (!isOfOthers(error)) throw error;
        log('warn', 'media.not-permitted', { media, upstream_code: error.code });
        return 'unknown';
      }
    },

    async delete(media: string, phoneNumberId: string): Promise<void> {
      const path = encodeURIComponent(media);
      acknowledged(await call({ method: 'DELETE', path, query: { phone_number_id: phoneNumberId } }));
    },
  };
}

/**
 * Graph has many other objects with ids: numbers, accounts, `me`, what strangers published. None of them has a media
 * type, and if one has an address, that address must not get our token.
 */
function isAnotherObject(response: unknown): boolean {
  return own(response, 'id') !== undefined && own(response, 'mime_type') === undefined;
}

/** Graph returns this code for ids that are not numbers. */
function isNoSuchAlias(error: unknown): boolean {
  return error instanceof UpstreamError && error.code === 803;
}

/**
 * Graph demands further permissions for ids of other kinds, such as Pages. Anybody can name one, and our credentials are
 * not to blame, so this must not alarm the operator.
 */
function isOfOthers(error: unknown): error is UpstreamError {
  if (!(error instanceof UpstreamError) || error.code === undefined) return false;
  return error.code === 10 || (error.code >= 200 && error.code <= 299);
}

function saysExpired(error: unknown): boolean {
  return error instanceof UpstreamError && error.failure === 'rejected' && /\bexpired\b/i.test(error.message);
}

function readSize(size: number | string | null | undefined): number | undefined {
  const bytes = size === '' || size === null ? Number.NaN : Number(size);
  return Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : undefined;
}

/** Graph sends the hash in hex or in base64. Any other text is ignored. */
function readSha256(text: string | null | undefined): string | undefined {
  if (typeof text !== 'string') return undefined;
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 ? bytes.toString('hex') : undefined;
}

const uploaded = z.object({ id: z.string() });

export type UpstreamUploads = ReturnType<typeof upstreamUploads>;

/** Uploads media (Meta, "Upload media"). Throws `UpstreamError` on failure. */
export function upstreamUploads(call: GraphClient) {
  return {
    async upload(phoneNumberId: string, file: FileToUpload): Promise<string> {
      const fields = { messaging_product: 'whatsapp', type: file.type };
      const form = multipartForm(fields, file, `file.${extensionOf(file.type) ?? 'bin'}`);
      const response = await call({ method: 'POST', path: `${encodeURIComponent(phoneNumberId)}/media`, stream: form });
      return parseResponse(uploaded, response).id;
    },
  };
}

export interface DownloadSettings {
  baseUrl: string;
  /** The domains, with their subdomains, from which files may come, in addition to the host of Graph. */
  hosts: readonly string[];
  accessToken: () => Promise<string>;
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
