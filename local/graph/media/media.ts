import { createHash, randomInt } from 'node:crypto';
import { dayMs, minuteMs } from '#shared/base/time.ts';
import { type ByteSource, fileBytes, generatedBytes, givenBytes } from '../http/byte-source.ts';

/** How a media object misbehaves. */
export interface MediaTraits {
  /** The id is treated as unknown, as after seven days or thirty. */
  readonly expired: boolean;
  /** When a download URL expires, apart from the usual five minutes. */
  readonly url_expires_after: { readonly seconds?: number | undefined; readonly uses?: number | undefined };
  /** The hash or the size from Graph is not that of the bytes. */
  readonly wrong_sha256: boolean;
  readonly wrong_size: boolean;
  /** Downloads break in the middle. */
  readonly truncated: boolean;
  /** Where download URLs redirect to. `self` is another address of the simulator. */
  readonly redirect_to: string | null;
  readonly sha256_as: 'hex' | 'base64' | 'absent';
  readonly file_size_as: 'number' | 'string' | 'absent';
}

/** The bytes, how to generate them, or the file that has them. */
export type MediaContent =
  | { readonly base64: string }
  | { readonly size: number; readonly seed: string }
  | { readonly size: number; readonly file: string };

export interface Media extends MediaTraits {
  readonly id: string;
  readonly phone_number_id: string;
  readonly mime_type: string;
  /** The hash of the true bytes, in hex. */
  readonly sha256: string;
  readonly content: MediaContent;
  /** The business uploaded it, so that it lives longer than what contacts send. */
  readonly uploaded?: boolean | undefined;
  /** Milliseconds since the epoch. */
  readonly stored_at: number;
}

const receivedLifetimeMs = 7 * dayMs;
const uploadedLifetimeMs = 30 * dayMs;
const urlLifetimeMs = 5 * minuteMs;

export function newMediaId(): string {
  return String(randomInt(10 ** 14, 2 ** 47));
}

/** A file without faults. */
export function storedFile(file: {
  readonly id: string;
  readonly phone_number_id: string;
  readonly mime_type: string;
  readonly bytes: Buffer;
  /** Where the bytes are kept. Defaults to the record itself. */
  readonly content?: MediaContent;
  readonly uploaded?: boolean;
  readonly now: number;
}): Media {
  const { bytes, now, ...members } = file;
  return {
    content: file.content ?? { base64: bytes.toString('base64') },
    ...members,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    stored_at: now,
    expired: false,
    url_expires_after: {},
    wrong_sha256: false,
    wrong_size: false,
    truncated: false,
    redirect_to: null,
    sha256_as: 'hex',
    file_size_as: 'string',
  };
}

export function bytesOf({ content }: Pick<Media, 'content'>): ByteSource {
  if ('base64' in content) return givenBytes(Buffer.from(content.base64, 'base64'));
  return 'file' in content ? fileBytes(content.file, content.size) : generatedBytes(content.seed, content.size);
}

export function isExpired({ expired, uploaded, stored_at }: Media, now: number): boolean {
  return expired || stored_at + (uploaded ? uploadedLifetimeMs : receivedLifetimeMs) <= now;
}

export function urlValidityMs({ url_expires_after: { seconds } }: Media): number {
  return seconds === undefined ? urlLifetimeMs : Math.min(seconds * 1000, urlLifetimeMs);
}

/** Graph's response about a media object (Meta's page "Media"). */
export function mediaNode(media: Media, url: string) {
  return {
    messaging_product: 'whatsapp',
    url,
    mime_type: media.mime_type,
    ...toldHash(media),
    ...toldSize(media),
    id: media.id,
  };
}

function toldHash({ sha256, sha256_as, wrong_sha256 }: Media) {
  const hash = Buffer.from(sha256, 'hex');
  if (wrong_sha256) hash.reverse();
  return sha256_as === 'absent' ? {} : { sha256: hash.toString(sha256_as) };
}

function toldSize(media: Media) {
  const size = bytesOf(media).size + (media.wrong_size ? 1 : 0);
  return media.file_size_as === 'absent' ? {} : { file_size: media.file_size_as === 'string' ? String(size) : size };
}
