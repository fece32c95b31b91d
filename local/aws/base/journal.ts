import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** An append-only file of records, one line of JSON each. Appended records survive a kill of the process. */
export interface Journal<T> {
  /** The number of records in the file. Compacting pays off when it is much larger than the number of live records. */
  readonly length: number;
  append(record: T): void;
  /** Replaces everything with `records` atomically: a kill leaves either the old file or the new one. */
  compact(records: Iterable<T>): void;
  close(): void;
}

const chunkBytes = 1024 * 1024;
const newline = 0x0a;

/**
 * Opens or creates the journal and hands every record in it to `apply`, in order.
 * A torn last line (the process was killed while writing) is dropped; any other unreadable line throws.
 */
export function openJournal<T>(file: string, apply: (record: T) => void): Journal<T> {
  mkdirSync(dirname(file), { recursive: true });
  let fd = openSync(file, 'a+');
  let length = 0;
  let bytes = 0;

  for (const line of readLines(fd)) {
    length += 1;
    apply(parseRecord<T>(line, file, length));
    bytes += line.length + 1;
  }
  if (fstatSync(fd).size > bytes) ftruncateSync(fd, bytes);

  return {
    get length() {
      return length;
    },
    append(record) {
      const line = Buffer.from(`${JSON.stringify(record)}\n`);
      try {
        writeFileSync(fd, line);
      } catch (error) {
        // A full disk may leave half a line. The next record must not continue it.
        ftruncateSync(fd, bytes);
        throw error;
      }
      length += 1;
      bytes += line.length;
    },
    compact(records) {
      const replacement = writeReplacement(`${file}.new`, records);
      closeSync(fd);
      renameSync(`${file}.new`, file);
      fd = openSync(file, 'a+');
      ({ length, bytes } = replacement);
    },
    close() {
      closeSync(fd);
    },
  };
}

function parseRecord<T>(line: Buffer, file: string, number: number): T {
  try {
    return JSON.parse(line.toString()) as T;
  } catch {
    throw new Error(`${file}: line ${number} is not JSON; delete the file to start over`);
  }
}

/** The complete lines, without their newline. */
function* readLines(fd: number): Generator<Buffer> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let rest: Buffer = Buffer.alloc(0);
  for (let position = 0, read = 1; read > 0; position += read) {
    read = readSync(fd, chunk, 0, chunkBytes, position);
    const unread = Buffer.concat([rest, chunk.subarray(0, read)]);
    let start = 0;
    for (let end = unread.indexOf(newline); end >= 0; end = unread.indexOf(newline, start)) {
      yield unread.subarray(start, end);
      start = end + 1;
    }
    rest = unread.subarray(start);
  }
}

function writeReplacement<T>(file: string, records: Iterable<T>): { length: number; bytes: number } {
  rmSync(file, { force: true });
  const fd = openSync(file, 'a');
  let length = 0;
  let bytes = 0;
  let pending = '';
  const flush = () => {
    writeFileSync(fd, pending);
    bytes += Buffer.byteLength(pending);
    pending = '';
  };
  try {
    for (const record of records) {
      pending += `${JSON.stringify(record)}\n`;
      length += 1;
      if (pending.length >= chunkBytes) flush();
    }
    flush();
  } finally {
    closeSync(fd);
  }
  return { length, bytes };
}

interface MapRecord<V> {
  key: string;
  value?: V;
}

/** A map of JSON values that is kept on disk by a journal. A changed value is written only by `set`. */
export class JournaledMap<V> {
  readonly #values = new Map<string, V>();
  readonly #journal: Journal<MapRecord<V>>;

  constructor(file: string) {
    this.#journal = openJournal<MapRecord<V>>(file, ({ key, value }) => {
      if (value === undefined) this.#values.delete(key);
      else this.#values.set(key, value);
    });
    if (this.#journal.length > this.#values.size) this.#journal.compact(this.#records());
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: V): void {
    this.#journal.append({ key, value });
    this.#values.set(key, value);
  }

  /** Returns whether the key was there. */
  delete(key: string): boolean {
    if (!this.#values.has(key)) return false;
    this.#journal.append({ key });
    return this.#values.delete(key);
  }

  values(): MapIterator<V> {
    return this.#values.values();
  }

  entries(): MapIterator<[string, V]> {
    return this.#values.entries();
  }

  close(): void {
    this.#journal.close();
  }

  *#records(): Generator<MapRecord<V>> {
    for (const [key, value] of this.#values) yield { key, value };
  }
}
