import type { Lease } from '#shared/base/lease.ts';

export interface UploadKey {
  number: string;
  upload: string;
}

interface AnnouncedFile {
  type: string;
  /** Bytes. */
  size: number;
}

/** A file that goes to the bucket first, and from there to the upstream. */
export type MediaUpload = AnnouncedFile & {
  /** Epoch milliseconds. */
  expires_at: number;
} & (
    | { state: 'created' }
    /** A request is sending the file. The last part is still here: if the request dies, the upstream has nothing. */
    | { state: 'sending'; lease: Lease }
    /** The request also sends the last part. If the request dies, it is unknown whether the upstream has the file. */
    | { state: 'handed-over'; lease: Lease }
    | { state: 'outcome-unknown' }
    /** The upstream has the file under this id. */
    | { state: 'sent'; media: string }
  );

/** The uploads. The request that claims one sends its file, and only that request may record the outcome. */
export interface MediaUploadStore {
  /** Counts the bytes against what a workspace may upload in an hour. `false` when they would be too many. */
  reserve(workspace: string, bytes: number, hour: number): Promise<boolean>;
  create(key: UploadKey, file: AnnouncedFile, now: number): Promise<void>;
  read(key: UploadKey, now: number): Promise<MediaUpload | undefined>;
  /** `false` when another request is sending the file or has sent all of it. A holder can repeat its own claim. */
  claim(key: UploadKey, holder: string, now: number): Promise<boolean>;
  /** Precedes the last part of the file. Resolves with `false` if another request has claimed the upload meanwhile. */
  handOver(key: UploadKey, holder: string): Promise<boolean>;
  /** Records the id of the media. */
  finish(key: UploadKey, holder: string, media: string): Promise<void>;
  /** Ends a claim after which the upstream has nothing. */
  release(key: UploadKey, holder: string): Promise<void>;
  /** Ends a claim that leaves it unknown whether the upstream has the file. */
  abandon(key: UploadKey, holder: string): Promise<void>;
}

/** The object of an upload in the bucket. */
export const blobOf = ({ number, upload }: UploadKey): string => `uploads/${number}/${upload}`;

/** Returns a URL to which anyone who has it may `PUT` a file of this type and size for a limited time. */
export type SignUpload = (key: string, file: AnnouncedFile & { expiresInSeconds: number }) => Promise<string>;

/** Reads the files of uploads. */
export interface UploadBucket {
  /** Bytes; `undefined` when there is no file. */
  sizeOf(key: string): Promise<number | undefined>;
  read(key: string): AsyncIterable<Uint8Array>;
}

/**
 * The upstream's ids of media are numbers. Other texts never become part of a path, where Graph has names such as `me`.
 */
const mediaId = /^\d{1,64}$/;

export const isMediaId = (text: string): boolean => mediaId.test(text);
