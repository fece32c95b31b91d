import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Platform } from '../core/platform.ts';
import type { Records } from '../core/records.ts';
import { GraphError } from '../http/graph-errors.ts';
import { isExpired, type Media, type MediaContent, urlValidityMs } from './media.ts';

/** How often Graph was asked for a media object, and how often its bytes were sent. */
export interface MediaUse {
  readonly lookups: number;
  readonly downloads: number;
}

interface IssuedUrl {
  readonly mediaId: string;
  readonly expiresAt: number;
  readonly usesLeft: number;
}

/** The media objects and their download URLs. The URLs end with the process. */
export class MediaStore {
  readonly #records: Records<Media>;
  readonly #now: () => number;
  /** Where uploaded files go. Without it, they stay with their records. */
  readonly #folder: string | undefined;
  readonly #uses = new Map<string, MediaUse>();
  readonly #urls = new Map<string, IssuedUrl>();

  constructor({ open, now }: Platform, folder?: string) {
    this.#records = open('media');
    this.#now = now;
    this.#folder = folder;
    if (folder !== undefined) mkdirSync(folder, { recursive: true });
  }

  all(): Media[] {
    return [...this.#records.values()];
  }

  has(id: string): boolean {
    return this.#records.get(id) !== undefined;
  }

  /** Finds a media object, even an expired one. Throws Graph's "object does not exist". */
  get(id = ''): Media {
    const media = this.#records.get(id);
    if (media === undefined) throw new GraphError('object_missing');
    return media;
  }

  /** Finds a media object as Graph does: it must not be expired, and must belong to the number if there is one. */
  find(id: string, phoneNumberId: string | null): Media {
    const media = this.get(id);
    if (phoneNumberId !== null && media.phone_number_id !== phoneNumberId) throw new GraphError('object_missing');
    if (isExpired(media, this.#now())) {
      throw new GraphError('object_missing', 'Unsupported request: the media object has expired');
    }
    return media;
  }

  /** The media object, if the number may send it. */
  usable(id: string, phoneNumberId: string): Media | undefined {
    const media = this.#records.get(id);
    if (media?.phone_number_id !== phoneNumberId || isExpired(media, this.#now())) return undefined;
    return media;
  }

  /** Replaces a media object with the same id, and resets its counts. */
  put(media: Media): void {
    this.#records.set(media.id, media);
    this.#uses.delete(media.id);
  }

  /** Keeps the bytes of a file that is about to be put: in a file of its own, because it may be large. */
  keep(id: string, bytes: Uint8Array): MediaContent {
    if (this.#folder === undefined) return { base64: Buffer.from(bytes).toString('base64') };
    const file = join(this.#folder, id);
    writeFileSync(file, bytes);
    return { file, size: bytes.length };
  }

  delete({ id, content }: Media): void {
    this.#records.delete(id);
    if ('file' in content) rmSync(content.file, { force: true });
  }

  useOf({ id }: Media): MediaUse {
    return this.#uses.get(id) ?? { lookups: 0, downloads: 0 };
  }

  countLookup(media: Media): void {
    const use = this.useOf(media);
    this.#uses.set(media.id, { ...use, lookups: use.lookups + 1 });
  }

  countDownload(media: Media): void {
    const use = this.useOf(media);
    this.#uses.set(media.id, { ...use, downloads: use.downloads + 1 });
  }

  /** The secret part of a new download URL. */
  issueUrl(media: Media): string {
    this.#forgetUrls();
    const hash = randomBytes(16).toString('base64url');
    const { uses = Number.POSITIVE_INFINITY } = media.url_expires_after;
    this.#urls.set(hash, { mediaId: media.id, expiresAt: this.#now() + urlValidityMs(media), usesLeft: uses });
    return hash;
  }

  /** The media object of a download URL. Throws a 404 if the URL has expired. */
  atUrl(hash: string): Media {
    const url = this.#urls.get(hash);
    if (url === undefined || url.expiresAt <= this.#now() || url.usesLeft <= 0 || !this.has(url.mediaId)) {
      throw new GraphError('media_url_expired');
    }
    return this.get(url.mediaId);
  }

  /** Counts a use of a download URL. */
  useUrl(hash: string): void {
    const url = this.#urls.get(hash);
    if (url !== undefined) this.#urls.set(hash, { ...url, usesLeft: url.usesLeft - 1 });
  }

  #forgetUrls(): void {
    for (const [hash, { expiresAt }] of this.#urls) if (expiresAt <= this.#now()) this.#urls.delete(hash);
  }
}
