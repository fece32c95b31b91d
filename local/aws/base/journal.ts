import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

interface JournalRecord<V> {
  key: string;
  value?: V;
}

/** What is kept is for its owner only. */
const mode = 0o600;

/** With fewer records, there is no use in a compaction while the map is in use. */
const worthCompacting = 10_000;

/**
 * A map of JSON values that is kept on disk by a journal: a file with one line of JSON for each change. What was set
 * survives a kill of the process. A changed value is written only by `set`.
 */
export class JournaledMap<V> {
  readonly #file: string;
  readonly #values = new Map<string, V>();
  #fd: number;
  #records = 0;
  #bytes = 0;

  /** A torn last line (the process was killed while writing) is dropped; any other unreadable line throws. */
  constructor(file: string) {
    this.#file = file;
    mkdirSync(dirname(file), { recursive: true });
    this.#fd = openSync(file, 'a+', mode);
    const content = readFileSync(file);
    for (let end = content.indexOf('\n'); end >= 0; end = content.indexOf('\n', this.#bytes)) {
      this.#records += 1;
      this.#apply(parseRecord(content.toString('utf8', this.#bytes, end), file, this.#records));
      this.#bytes = end + 1;
    }
    if (fstatSync(this.#fd).size > this.#bytes) ftruncateSync(this.#fd, this.#bytes);
    if (this.#records > this.#values.size) this.#compact();
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: V): void {
    this.#append({ key, value });
  }

  /** Returns whether the key was there. */
  delete(key: string): boolean {
    if (!this.#values.has(key)) return false;
    this.#append({ key });
    return true;
  }

  values(): MapIterator<V> {
    return this.#values.values();
  }

  entries(): MapIterator<[string, V]> {
    return this.#values.entries();
  }

  close(): void {
    closeSync(this.#fd);
  }

  #apply({ key, value }: JournalRecord<V>): void {
    if (value === undefined) this.#values.delete(key);
    else this.#values.set(key, value);
  }

  #append(record: JournalRecord<V>): void {
    if (this.#records > worthCompacting && this.#records > 4 * this.#values.size) this.#compact();
    const line = Buffer.from(`${JSON.stringify(record)}\n`);
    try {
      writeFileSync(this.#fd, line);
    } catch (error) {
      // A full disk may leave half a line. The next record must not continue it.
      ftruncateSync(this.#fd, this.#bytes);
      throw error;
    }
    this.#records += 1;
    this.#bytes += line.length;
    this.#apply(record);
  }

  /** Replaces the file by one with the values only. A kill leaves either the old file or the new one. */
  #compact(): void {
    const replacement = `${this.#file}.new`;
    const fd = openSync(replacement, 'w', mode);
    for (const [key, value] of this.#values) writeFileSync(fd, `${JSON.stringify({ key, value })}\n`);
    closeSync(fd);
    closeSync(this.#fd);
    renameSync(replacement, this.#file);
    this.#fd = openSync(this.#file, 'a+');
    this.#records = this.#values.size;
    this.#bytes = fstatSync(this.#fd).size;
  }
}

function parseRecord<V>(line: string, file: string, number: number): JournalRecord<V> {
  try {
    return JSON.parse(line) as JournalRecord<V>;
  } catch {
    throw new Error(`${file}: line ${number} is not JSON; delete the file to start over`);
  }
}
