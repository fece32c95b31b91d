import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JournaledMap, openJournal } from './journal.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
  file = join(folder, 'sub', 'records.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function readAll(): unknown[] {
  const records: unknown[] = [];
  openJournal(file, (record) => records.push(record)).close();
  return records;
}

function write(...records: unknown[]): void {
  const journal = openJournal(file, () => {});
  for (const record of records) journal.append(record);
  journal.close();
}

describe('journal', () => {
  it('replays the appended records in order, over several openings', () => {
    write({ a: 1 }, 'zwei\n', [3]);
    write({ b: 'ü€😀' });
    expect(readAll()).toEqual([{ a: 1 }, 'zwei\n', [3], { b: 'ü€😀' }]);
  });

  it('replays records longer than one read', () => {
    const long = '€'.repeat(900_000);
    write(long, 'short', long);
    expect(readAll()).toEqual([long, 'short', long]);
  });

  it('drops an incomplete last line and appends after the complete ones', () => {
    write('one', 'two');
    appendFileSync(file, '"thr');
    write('four');
    expect(readAll()).toEqual(['one', 'two', 'four']);
  });

  it('rejects a file that is damaged elsewhere, and names the line', () => {
    write('one');
    appendFileSync(file, 'garbage\n"two"\n');
    expect(readAll).toThrow(/records\.jsonl: line 2/);
  });

  it('compacts to the given records and continues to append', () => {
    const journal = openJournal<string>(file, () => {});
    for (const record of ['one', 'two', 'three']) journal.append(record);
    journal.compact(['three']);
    expect(journal.length).toBe(1);
    journal.append('four');
    expect(journal.length).toBe(2);
    journal.close();
    expect(readAll()).toEqual(['three', 'four']);
    expect(readdirSync(join(folder, 'sub'))).toEqual(['records.jsonl']);
  });

  it('keeps the old file if a compaction fails, and replaces the remains of a killed one', () => {
    write('one');
    const journal = openJournal<string>(file, () => {});
    const failing = (function* () {
      yield 'two';
      throw new Error('no more');
    })();
    expect(() => journal.compact(failing)).toThrow('no more');
    journal.append('three');
    expect(readFileSync(file, 'utf8')).toBe('"one"\n"three"\n');
    writeFileSync(`${file}.new`, 'remains');
    journal.compact(['four']);
    journal.close();
    expect(readAll()).toEqual(['four']);
  });

  it('contains every acknowledged record after the process is killed', async () => {
    const source = `
      import { writeSync } from 'node:fs';
      import { openJournal } from ${JSON.stringify(new URL('./journal.ts', import.meta.url).href)};
      const journal = openJournal(${JSON.stringify(file)}, () => {});
      for (let number = 0; ; number += 1) { journal.append(number); writeSync(1, number + '\\n'); }`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let acknowledged = '';
    for await (const chunk of child.stdout) {
      acknowledged += chunk;
      if (acknowledged.length > 5000) child.kill('SIGKILL');
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    const last = Number(acknowledged.split('\n').at(-2));
    expect(last).toBeGreaterThan(100);
    const records = readAll();
    expect(records.length).toBeGreaterThan(last);
    expect(records).toEqual(records.map((_, index) => index));
  });
});

describe('JournaledMap', () => {
  it('has the same contents after it is opened again', () => {
    const map = new JournaledMap<{ n: number }>(file);
    map.set('a', { n: 1 });
    map.set('b', { n: 2 });
    map.set('a', { n: 3 });
    map.set('__proto__', { n: 4 });
    expect(map.delete('b')).toBe(true);
    expect(map.delete('b')).toBe(false);
    map.close();

    const again = new JournaledMap<{ n: number }>(file);
    expect([...again.entries()]).toEqual([
      ['a', { n: 3 }],
      ['__proto__', { n: 4 }],
    ]);
    expect([...again.values()]).toEqual([{ n: 3 }, { n: 4 }]);
    expect([again.size, again.get('b')]).toEqual([2, undefined]);
    again.close();
  });

  it('is compacted when it is opened', () => {
    const map = new JournaledMap<number>(file);
    for (let n = 0; n < 100; n += 1) map.set('same', n);
    map.close();
    new JournaledMap<number>(file).close();
    expect(readFileSync(file, 'utf8')).toBe('{"key":"same","value":99}\n');
  });
});
