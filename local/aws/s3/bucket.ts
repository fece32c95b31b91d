import { createReadStream, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { JournaledMap } from '../base/journal.ts';
import { type ObjectFile, removeObjectFile } from './object-file.ts';

/** What is known about an object in addition to its bytes. */
export interface StoredObject {
  /** Name of the file that holds its bytes. */
  file: string;
  size: number;
  /** Without quotes. */
  etag: string;
  /** Base64. Absent if the object was uploaded in parts. */
  crc32?: string;
  /** Milliseconds since 1970. */
  lastModified: number;
  /** The headers that GetObject returns: `content-type`, `x-amz-meta-*` … */
  headers: Record<string, string>;
}

export interface ListedObject {
  key: string;
  object: StoredObject;
}

/**
 * The objects of one bucket: an index of keys, and a file for each object's bytes. Keys never become file names.
 * One record of the index replaces an object, so that readers and a kill meet either the old object or the new one.
 */
export class Bucket {
  readonly name: string;
  /** Where the files of objects and of parts go. */
  readonly folder: string;
  readonly #index: JournaledMap<StoredObject>;
  readonly #now: () => number;

  constructor(name: string, dataDir: string, now: () => number) {
    this.name = name;
    this.folder = join(dataDir, name, 'files');
    this.#now = now;
    this.#index = new JournaledMap(join(dataDir, name, 'index.jsonl'));
    mkdirSync(this.folder, { recursive: true });
    this.#removeStrayFiles();
  }

  get(key: string): StoredObject | undefined {
    return this.#index.get(key);
  }

  /** Turns a written file into the object with this key. */
  async put(key: string, file: ObjectFile, details: Pick<StoredObject, 'headers' | 'etag' | 'crc32'>): Promise<void> {
    const replaced = this.#index.get(key);
    const object = { file: basename(file.path), size: file.size, lastModified: this.#now(), ...details };
    this.#index.set(key, object);
    if (replaced) await removeObjectFile(join(this.folder, replaced.file));
  }

  async delete(key: string): Promise<void> {
    const object = this.#index.get(key);
    if (object === undefined) return;
    this.#index.delete(key);
    await removeObjectFile(join(this.folder, object.file));
  }

  /** Opens the file immediately. The bytes can then be read to the end even if the object is replaced or deleted. */
  read(object: StoredObject, range?: { start: number; end: number }): Readable {
    const fd = openSync(join(this.folder, object.file), 'r');
    return createReadStream('', { fd, ...range });
  }

  /** The objects whose key begins with `prefix` and comes after `after`, in the order of the keys' UTF-8 bytes. */
  list(prefix: string, after: Buffer): ListedObject[] {
    return [...this.#index.entries()]
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, object]) => ({ key, bytes: Buffer.from(key), object }))
      .filter(({ bytes }) => Buffer.compare(bytes, after) > 0)
      .sort((a, b) => Buffer.compare(a.bytes, b.bytes));
  }

  close(): void {
    this.#index.close();
  }

  /** Removes what a kill left behind: files of unfinished uploads and of replaced objects. */
  #removeStrayFiles(): void {
    const indexed = new Set([...this.#index.values()].map(({ file }) => file));
    for (const file of readdirSync(this.folder)) {
      if (!indexed.has(file)) rmSync(join(this.folder, file), { force: true });
    }
  }
}
