import { createCipheriv, createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { isObject, type JsonObject, objectOf, own } from '#shared/base/json.ts';
import { givenBytes } from '../http/byte-source.ts';
import { ControlError } from '../http/control-route.ts';
import { BytesResponse, type HttpResponse } from '../http/http.ts';
import { newMediaId, storedFile } from './media.ts';
import type { MediaStore } from './store.ts';

/** A file on the phone of a contact. */
export interface PhoneFile {
  readonly file_name: string;
  readonly mime_type: string;
  readonly base64: string;
}

interface PickedFile {
  readonly file_name: string;
  readonly mime_type: string;
  readonly bytes: Buffer;
  /** What the media host has, and the keys to it. */
  readonly encrypted: Buffer;
  readonly encryption_metadata: Readonly<Record<string, string>>;
}

export interface FlowFilesOptions {
  readonly media: MediaStore;
  /** The origin of addresses. */
  readonly origin: () => string;
  readonly now: () => number;
}

const maxFileBytes = 25 * 2 ** 20;
const maxInMessage = { files: 10, bytes: 100 * 2 ** 20 };

/** Where the media host has files, as WhatsApp's is `mmg.whatsapp.net`. Readers need no token. */
const folder = '/mms/flow/';

/** The files that contacts pick in Flows (Meta's page "Media upload components"). They end with the process. */
export class FlowFiles {
  readonly #options: FlowFilesOptions;
  readonly #picked = new Map<string, PickedFile>();

  constructor(options: FlowFilesOptions) {
    this.#options = options;
  }

  /** Picks a file. The phone keeps what this returns as the value of the picker. */
  pick({ file_name, mime_type, base64 }: PhoneFile) {
    const bytes = Buffer.from(base64, 'base64');
    if (bytes.length > maxFileBytes) throw new ControlError(413, `A file has at most ${maxFileBytes} bytes`);
    const media_id = randomUUID();
    this.#picked.set(media_id, { file_name, mime_type, bytes, ...encrypt(bytes) });
    return { file_name, mime_type, size: bytes.length, media_id };
  }

  /** What a phone sends to an endpoint: where the encrypted files are, and their keys. */
  forEndpoint(data: unknown): unknown {
    return isObject(data) ? this.#replaced(data, (id, file) => this.#encryptedForm(id, file)) : data;
  }

  #encryptedForm(media_id: string, { file_name, encryption_metadata }: PickedFile) {
    return { file_name, media_id, cdn_url: `${this.#options.origin()}${folder}${media_id}`, encryption_metadata };
  }

  /** What the platform sends to the business: files like those of messages. */
  forMessage(response: JsonObject, phone_number_id: string): JsonObject {
    let [files, bytes] = [0, 0];
    return this.#replaced(response, (_, file) => {
      files += 1;
      bytes += file.bytes.length;
      if (files > maxInMessage.files || bytes > maxInMessage.bytes) {
        throw new ControlError(409, 'A final response has at most 10 files, of 100 MiB together');
      }
      return this.#receivedForm(file, phone_number_id);
    });
  }

  #receivedForm({ file_name, mime_type, bytes }: PickedFile, phone_number_id: string) {
    const { media, now } = this.#options;
    const id = newMediaId();
    media.put(storedFile({ id, phone_number_id, mime_type, bytes, content: media.keep(id, bytes), now: now() }));
    return { file_name, mime_type, sha256: sha256(bytes), id };
  }

  /** Responds as the media host to a path of it. */
  respondAt(pathname: string): HttpResponse | undefined {
    if (!pathname.startsWith(folder)) return undefined;
    const file = this.#picked.get(pathname.slice(folder.length));
    if (file === undefined) return new BytesResponse(404, {});
    return new BytesResponse(200, { 'content-type': 'application/octet-stream' }, givenBytes(file.encrypted));
  }

  /** Flows have files only in lists at the top. */
  #replaced(data: JsonObject, form: (mediaId: string, file: PickedFile) => object): JsonObject {
    const replacement = (item: unknown) => {
      const id = own(item, 'media_id');
      const file = typeof id === 'string' ? this.#picked.get(id) : undefined;
      return typeof id === 'string' && file !== undefined ? form(id, file) : item;
    };
    return objectOf(
      Object.entries(data).map(([name, value]) => [name, Array.isArray(value) ? value.map(replacement) : value]),
    );
  }
}

function encrypt(bytes: Buffer): Pick<PickedFile, 'encrypted' | 'encryption_metadata'> {
  const [iv, key, hmacKey] = [randomBytes(16), randomBytes(32), randomBytes(32)];
  const cipher = createCipheriv('aes-256-cbc', key, iv);
  const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final()]);
  const hmac = createHmac('sha256', hmacKey).update(iv).update(ciphertext).digest();
  const encrypted = Buffer.concat([ciphertext, hmac.subarray(0, 10)]);
  return {
    encrypted,
    encryption_metadata: {
      encrypted_hash: sha256(encrypted),
      iv: iv.toString('base64'),
      encryption_key: key.toString('base64'),
      hmac_key: hmacKey.toString('base64'),
      plaintext_hash: sha256(bytes),
    },
  };
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64');
