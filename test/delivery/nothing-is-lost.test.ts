import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { keptAdministrator } from '#local/aws/stack/credentials.ts';
import type { WorldDescription } from '#local/world-description.ts';
import { openTable } from '#shared/aws/table.ts';
import type { Format } from '#shared/webhooks/meta-format.ts';
import { isBuiltIn, newNamedTarget, type PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { targetStore } from '#shared/webhooks/subscriber-store.ts';
import { createSecret, hubSignature, hubSignatureHeader } from '#shared/webhooks/webhook-signature.ts';
import { descendants, runningProcesses } from '#support/processes.ts';
import { pickFrom, randomFrom } from '#support/random.ts';
import { type Reaction, type Received, type Receiver, startReceiver } from '../../support/http/receiver.ts';
import {
  contact,
  createNumber,
  envelope,
  postEvent,
  queueOf,
  type TestNumber,
  textMessage,
} from '../../support/worlds/delivery-world.ts';

const rounds = 2;
const postsPerRound = 40;
const killsPerRound = 4;

const worldProcess = fileURLToPath(new URL('../../support/worlds/world-process.ts', import.meta.url));

/** One of these functions is killed in the middle of its work. */
const victims = ['DeliverNotifications', 'ReceiveEvents'];

/** Enough attempts that none is lost at a receiver that fails every fifth time, even on a busy machine. */
const variables = {
  DELIVERY_RETRY_SCHEDULE: `0.2,0.2,0.2,0.4,0.4,0.4,${Array(30).fill('1').join()}`,
  DELIVERY_TIMEOUT_MS: '2000',
};

let dataDir: string;
let receiver: Receiver;
let running: { process: ChildProcess; description: WorldDescription; errors: string[] } | undefined;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'nothing-is-lost-'));
  receiver = await startReceiver();
});
afterAll(async () => {
  await killWorld();
  await receiver.close();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

async function startWorldProcess(): Promise<WorldDescription> {
  const template = join(inject('assemblyDirectory'), 'messaging-dev.template.json');
  const child = spawn(process.execPath, [worldProcess, template, dataDir, JSON.stringify(variables)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const errors: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line));
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error(`The world did not start: ${errors.join('\n')}`))),
  ]);
  const description = JSON.parse(String(line)) as WorldDescription;
  running = { process: child, description, errors };
  // The messages of a killed function become visible soon, instead of after the template's minutes, and as often as
  // needed.
  const queue = queueOf(description, keptAdministrator(dataDir));
  await queue.setVisibilityTimeout(8);
  await queue.setMaxReceives(100);
  queue.close();
  return description;
}

/** With all its children, as when the machine loses its power. */
async function killWorld(): Promise<void> {
  if (!running) return;
  const { process: child } = running;
  running = undefined;
  const family = child.pid === undefined ? [] : descendants(child.pid).map(({ pid }) => pid);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const left = () => runningProcesses().filter(({ pid }) => family.includes(pid));
  await vi.waitFor(() => expect(left()).toEqual([]), { timeout: 300_000 });
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has ended since it was listed.
    if (Reflect.get(Object(error), 'code') !== 'ESRCH') throw error;
  }
}

function killFunction(name: string): void {
  const world = running?.process.pid;
  if (world === undefined) return;
  for (const { pid, environment } of descendants(world)) {
    if (environment.AWS_LAMBDA_FUNCTION_NAME === name) killIfRunning(pid);
  }
}

/** One request of the upstream, and what it must lead to: bodies by the paths of the receiver. */
interface UpstreamPost {
  body: object;
  expected: { path: string; body: string }[];
}

const pathOf = (number: PhoneNumber, target: string) => `/${number.id}/${target}`;

const appSecret = 'app secret of a receiver';

/** A number, and the formats of its targets by their names. */
interface KnownNumber extends TestNumber {
  formats: Readonly<Record<string, Format>>;
}

function messagesFor(number: KnownNumber, count: number): UpstreamPost {
  const messages = Array.from({ length: count }, (_, index) => textMessage(`text ${index} ✓`));
  const bodyIn = (format: Format, message: object) => {
    const value = { contacts: [contact], messages: [message] };
    if (format === 'standard') return JSON.stringify(value);
    return JSON.stringify(envelope(number, value)).replaceAll('✓', '\\u2713');
  };
  return {
    body: envelope(number, { contacts: [contact], messages }),
    expected: messages.flatMap((message) =>
      Object.entries(number.formats).map(([target, format]) => ({
        path: pathOf(number, target),
        body: bodyIn(format, message),
      })),
    ),
  };
}

it('every accepted notification arrives, each time with the same bytes, whatever process is killed at any time', {
  timeout: 900_000,
}, async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
  const random = randomFrom(seed);
  const pick = <T>(items: readonly T[]): T => pickFrom(items, random);

  let failing = true;
  const answeredWell = new Set<Received>();
  function react(request: Received): Reaction {
    const luck = random();
    if (failing && luck < 0.1) return { status: 503 };
    if (failing && luck < 0.15) return 'reset';
    if (failing && luck < 0.18) return 'hang';
    answeredWell.add(request);
    return {};
  }

  /** Three numbers, of which one has all eight targets, in both formats. */
  async function createNumbers({ aws }: WorldDescription): Promise<KnownNumber[]> {
    const connection = { endpoint: aws.dynamodb, region: aws.region, credentials: keptAdministrator(dataDir) };
    const table = openTable(aws.table_name, connection);
    const numbers = await Promise.all(
      [['webhook'], ['webhook', 'secondary_webhook', 'a', 'b', 'c', 'd', 'e'], ['webhook']].map(async (names) => {
        const number = await createNumber(table, {});
        const formats: Record<string, Format> = {};
        const targets = targetStore(table);
        for (const [index, name] of names.entries()) {
          const url = receiver.url + pathOf(number, name);
          const format = index % 2 === 0 ? 'standard' : 'meta';
          const settings = { url, format, ...(format === 'meta' && { app_secret: appSecret }) } as const;
          if (isBuiltIn(name)) await targets.changeTarget(number.id, name, settings);
          else await targets.createTarget(number.id, newNamedTarget(name), { ...settings, secret: createSecret() });
          formats[name] = format;
        }
        await targets.setUrls(number.id, { calls_webhook: receiver.url + pathOf(number, 'calls_webhook') });
        return { ...number, formats };
      }),
    );
    table.client.destroy();
    return numbers;
  }

  const accepted: UpstreamPost[] = [];
  /** Rejected, or without a response: the upstream sends it again. */
  const unanswered: UpstreamPost[] = [];

  async function post(baseUrl: string, upstreamPost: UpstreamPost): Promise<void> {
    const status = await postEvent(baseUrl, upstreamPost.body).catch(() => undefined);
    (status === 200 ? accepted : unanswered).push(upstreamPost);
  }

  /** Two senders, while functions are killed; the last requests die with the world. */
  async function round(baseUrl: string, numbers: readonly KnownNumber[]): Promise<void> {
    const killsAt = new Set(Array.from({ length: killsPerRound }, () => Math.floor(random() * postsPerRound)));
    const endsAt = Math.floor(postsPerRound * (0.8 + 0.15 * random()));
    let posts = 0;
    let end: Promise<void> | undefined;
    async function send(): Promise<void> {
      while (posts < postsPerRound) {
        posts += 1;
        if (killsAt.has(posts)) killFunction(pick(victims));
        if (posts === endsAt) end = killWorld();
        await post(baseUrl, unanswered.shift() ?? messagesFor(pick(numbers), 1 + Math.floor(random() * 4)));
        await pause(random() * 60);
      }
    }
    await Promise.all([send(), send()]);
    await end;
  }

  let description = await startWorldProcess();
  const numbers = await createNumbers(description);
  for (const number of numbers) {
    for (const name of Object.keys(number.formats)) receiver.script(pathOf(number, name), react);
  }
  for (let started = 0; started < rounds; started++) {
    await round(description.base_url, numbers);
    description = await startWorldProcess();
  }
  failing = false;
  for (const again of unanswered.splice(0)) await post(description.base_url, again);

  const arrived = () => Map.groupBy([...answeredWell], ({ path, body }) => `${path} ${body}`);
  const expected = accepted.flatMap((one) => one.expected.map(({ path, body }) => `${path} ${body}`));
  const missing = () => {
    const all = arrived();
    return expected.filter((notification) => !all.has(notification));
  };
  await expect.poll(missing, { timeout: 600_000, interval: 100, message: `seed ${seed}` }).toEqual([]);

  expect(expected.length, `seed ${seed}`).toBeGreaterThan(50);
  // Each under one id, the same on every try, that no other has.
  const idsOf = Map.groupBy(receiver.received(), ({ path, body }) => `${path} ${body}`);
  const ids = [...idsOf.values()].map((tries) => new Set(tries.map(({ headers }) => headers['webhook-id'])));
  expect(Math.max(...ids.map(({ size }) => size)), `seed ${seed}`).toBe(1);
  expect(new Set(ids.flatMap((set) => [...set])).size, `seed ${seed}`).toBe(ids.length);
  expect(
    [...idsOf.keys()].filter((notification) => !expected.includes(notification)),
    `seed ${seed}`,
  ).toEqual([]);
  // In Meta's format, and only there, each try is signed as Meta does.
  for (const { headers, body } of receiver.received()) {
    const isMeta = body.includes('"object":');
    expect(headers[hubSignatureHeader]).toBe(isMeta ? hubSignature(body, appSecret) : undefined);
  }
  const queue = queueOf(description, keptAdministrator(dataDir));
  expect(await queue.deadLetters(), `seed ${seed}`).toBe(0);
  queue.close();
});
