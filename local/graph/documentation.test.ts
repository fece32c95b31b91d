import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestWorld, type TestWorld } from '#support/worlds/world.ts';
import { setupFaults } from './core/setup-faults.ts';
import { eventTypes } from './events/events.ts';

const text = readFileSync(join(import.meta.dirname, '../../docs/simulated-upstream.md'), 'utf8');

/** Each shell command, with the JSON that is printed after it, if any. */
const examples = [...text.matchAll(/```sh\n([\s\S]+?)```(?:\n\s*```json\n([\s\S]+?)```)?/g)].map(
  ([, command = '', answer]) => ({ command, answer }),
);

/** What differs from run to run, and what is shortened on the page. */
const volatile = new Set(['started_at', 'stored_at', 'offer', 'url']);

const comparable = (json: string) =>
  JSON.parse(json, (name, value) =>
    volatile.has(name) || (name === 'id' && /^wa(m|c)id\./.test(String(value))) ? '…' : value,
  );

describe('the page about the simulated platform', () => {
  let world: TestWorld;
  beforeAll(async () => {
    world = await startTestWorld();
  });
  afterAll(() => world.close());

  it('has working examples with the printed responses', async () => {
    expect(examples.length).toBeGreaterThan(15);
    for (const { command, answer } of examples) {
      const here = command.replaceAll('http://localhost:3001', world.description.upstream_url);
      const { stdout } = await promisify(execFile)('sh', ['-c', here]);
      expect(comparable(stdout), command).not.toHaveProperty('error');
      if (answer !== undefined) expect(comparable(stdout), command).toEqual(comparable(answer));
    }
  });

  it('names every route of the control surface', async () => {
    const { data } = (await (await fetch(`${world.description.upstream_url}/simulator`)).json()) as { data: string[] };
    const paths = data.map((route) => route.split(' ')[1] ?? '');
    const pattern = (path: string) => new RegExp(path.replaceAll(/\{\w+\}/g, '[^/\\s`]+'));
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((path) => !pattern(path).test(text))).toEqual([]);
  });

  it('names every fault of the set-up', () => {
    const rows = text.split('\n').filter((line) => line.startsWith('| `'));
    const named = rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name));
    expect(setupFaults.filter((fault) => !named.includes(fault))).toEqual([]);
  });

  it('names every event', () => {
    expect(eventTypes.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});
