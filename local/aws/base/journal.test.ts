import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JournaledMap } from './journal.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'));
  file = join(folder, 'sub', 'records.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

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

  it('keeps long values', () => {
    const long = '€'.repeat(900_000);
    const map = new JournaledMap<string>(file);
    for (const key of ['a', 'b']) map.set(key, long + key);
    map.close();
    expect(contents()).toEqual([
      ['a', `${long}a`],
      ['b', `${long}b`],
    ]);
  });

  it('drops an incomplete last line and appends after the complete ones', () => {
    write('a', 'b');
    appendFileSync(file, '{"key":"c"');
    write('d');
    expect(contents().map(([key]) => key)).toEqual(['a', 'b', 'd']);
  });

  it('rejects a file that is damaged elsewhere, and names the line', () => {
    write('a');
    appendFileSync(file, 'garbage\n{"key":"b","value":1}\n');
    expect(contents).toThrow(/records\.jsonl: line 2/);
  });

  it('is compacted when it is opened, over the remains of a compaction that was killed', () => {
    const map = new JournaledMap<number>(file);
    for (let n = 0; n < 100; n += 1) map.set('same', n);
    map.close();
    writeFileSync(`${file}.new`, 'remains');
    new JournaledMap<number>(file).close();
    expect(readFileSync(file, 'utf8')).toBe('{"key":"same","value":99}\n');
    expect(readdirSync(join(folder, 'sub'))).toEqual(['records.jsonl']);
  });

  it('is compacted while it is in use, and loses nothing', () => {
    const map = new JournaledMap<number>(file);
    map.set('kept', 1);
    for (let n = 0; n < 20_000; n += 1) map.set('same', n);
    expect(readFileSync(file, 'utf8').split('\n').length).toBeLessThan(11_000);
    map.close();
    expect(contents()).toEqual([
      ['kept', 1],
      ['same', 19_999],
    ]);
  });

  it('contains every acknowledged value after the process is killed', async () => {
    const source = `
      import { writeSync } from 'node:fs';
      import { JournaledMap } from ${JSON.stringify(new URL('./journal.ts', import.meta.url).href)};
      const map = new JournaledMap(${JSON.stringify(file)});
      for (let number = 0; ; number += 1) { map.set(String(number), number); writeSync(1, number + '\\n'); }`;
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
    const values = contents().map(([, value]) => value);
    expect(values.length).toBeGreaterThan(last);
    expect(values).toEqual(values.map((_, index) => index));
  });
});

/** Sets a value for each key. */
function write(...keys: string[]): void {
  const map = new JournaledMap<number>(file);
  for (const key of keys) map.set(key, 1);
  map.close();
}

function contents(): [string, unknown][] {
  const map = new JournaledMap<unknown>(file);
  const all = [...map.entries()];
  map.close();
  return all;
}
