import { defaultSchedule } from '#shared/delivery/retry-schedule.ts';
import type { World } from './world.ts';

export interface Scenario {
  name: string;
  schedule: readonly number[];
  play: (world: World) => Promise<void>;
  /** Too long to be played again for each of its calls. */
  isLong?: true;
}

const receiver = 'https://receiver.example/';
const another = 'https://another.example/';
const minute = 60_000;
const short = [5, 20, 60];

const down = (world: World) => world.receivers.set(receiver, { is: 'down' });
const heal = (world: World) => world.receivers.set(receiver, { is: 'well' });

const put = (world: World, number: string, changes: Record<string, string | null>) =>
  world.operate(`PUT ${JSON.stringify(changes)}`, (service) => service.changeWebhooks(number, changes));

const switchNumber = (world: World, number: string, active: boolean) =>
  world.operate(`number ${active ? 'on' : 'off'}`, (service) => service.switchNumber(number, active));

/** Events one after the other, so that their failures count in a row. */
async function ingestOneByOne(world: World, number: string, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent++) {
    await world.ingest(number, ['message']);
    await world.scheduler.sleep(200);
  }
}

/** A dead receiver whose breaker has opened, with more held for it. */
async function openBreaker(world: World): Promise<string> {
  const number = await world.newNumber({ webhook: receiver });
  down(world);
  await ingestOneByOne(world, number, 13);
  await world.scheduler.sleep(15_000);
  return number;
}

async function firstWaiting(world: World, schedule = 500): Promise<string> {
  const number = await world.newNumber({ webhook: receiver });
  down(world);
  await world.ingest(number, ['message']);
  await world.scheduler.sleep(schedule);
  return number;
}

const anyDelivery = (world: World) => [...world.history.deliveries.keys()][0] ?? '';

/** Short stories of one number; each ends with `world.end`. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'the first attempt succeeds',
    schedule: short,
    async play(world) {
      const number = await world.newNumber({ webhook: receiver, secondary_webhook: another, calls_webhook: receiver });
      await world.ingest(number, ['message', 'status', 'call']);
      await world.scheduler.sleep(10_000);
    },
  },
  {
    name: 'the upstream sends an event twice',
    schedule: short,
    async play(world) {
      const number = await world.newNumber({ webhook: receiver });
      await Promise.all([world.ingest(number, ['message']), world.ingest(number, ['status'])]);
      await Promise.all([world.repeat('event-1'), world.repeat('event-2'), world.repeat('event-1')]);
      await world.scheduler.sleep(10_000);
    },
  },
  {
    name: 'a number has eight targets of both formats, of which five are dead and two are deleted',
    schedule: short,
    isLong: true,
    async play(world) {
      const number = await world.newNumber({ webhook: receiver, secondary_webhook: receiver, calls_webhook: another });
      for (const [index, name] of ['a', 'b', 'c', 'd', 'e'].entries()) {
        const url = index < 3 ? receiver : another;
        const changes = { url, format: index % 2 === 0 ? 'meta' : 'standard', verify_token: 'token' } as const;
        const { verify_token: _, ...plain } = changes;
        await world.operate(`PUT ${name}`, (service) =>
          service.changeTarget(number, name, changes.format === 'meta' ? changes : plain),
        );
      }
      down(world);
      await ingestOneByOne(world, number, 12);
      await world.ingest(number, ['call', 'status']);
      for (const name of ['a', 'd']) {
        await world.operate(`DELETE ${name}`, (service) => service.deleteTarget(number, name));
      }
      await world.ingest(number, ['message']);
      await world.scheduler.sleep(minute);
      heal(world);
    },
  },
  {
    name: 'an attempt fails, the next succeeds',
    schedule: short,
    async play(world) {
      await firstWaiting(world);
      heal(world);
      await world.scheduler.sleep(minute);
    },
  },
  {
    name: 'every attempt fails',
    schedule: [2, 5],
    async play(world) {
      const number = await world.newNumber({ webhook: receiver });
      world.receivers.isPoison = () => true;
      await world.ingest(number, ['message']);
      await world.scheduler.sleep(minute);
    },
  },
  {
    name: 'a wait is longer than the queue can delay',
    schedule: [1_200],
    async play(world) {
      await firstWaiting(world);
      heal(world);
      world.hurry();
      await world.scheduler.sleep(25 * minute);
    },
  },
  {
    name: 'a breaker opens, its receiver recovers, the backlog drains',
    schedule: short,
    async play(world) {
      await openBreaker(world);
      heal(world);
      await world.scheduler.sleep(2 * minute);
    },
  },
  {
    name: 'an open breaker is resumed',
    schedule: short,
    async play(world) {
      const number = await openBreaker(world);
      heal(world);
      await world.operate('resume', (service) => service.resume(number));
      await world.scheduler.sleep(20_000);
    },
  },
  {
    name: 'a URL is added, and used at once',
    schedule: short,
    async play(world) {
      const number = await world.newNumber({ webhook: receiver });
      await world.ingest(number, ['message']);
      await put(world, number, { secondary_webhook: another });
      await world.ingest(number, ['message']);
      await world.scheduler.sleep(5_000);
    },
  },
  {
    name: 'a URL is replaced while a delivery waits, and another arrives',
    schedule: short,
    async play(world) {
      const number = await firstWaiting(world);
      await put(world, number, { webhook: another });
      await world.ingest(number, ['message']);
      await world.scheduler.sleep(30_000);
    },
  },
  {
    name: 'a URL is removed while deliveries wait and arrive, and set again',
    schedule: short,
    async play(world) {
      const number = await firstWaiting(world);
      const arriving = world.ingest(number, ['message']);
      await put(world, number, { webhook: null });
      await arriving;
      await world.ingest(number, ['message']);
      await put(world, number, { webhook: receiver });
      heal(world);
      await world.ingest(number, ['message']);
      await world.scheduler.sleep(30_000);
    },
  },
  {
    name: 'the URL of an open breaker is replaced',
    schedule: short,
    async play(world) {
      const number = await openBreaker(world);
      await put(world, number, { webhook: another });
      await world.scheduler.sleep(20_000);
    },
  },
  {
    name: 'the URL of an open breaker is removed',
    schedule: short,
    async play(world) {
      const number = await openBreaker(world);
      await put(world, number, { webhook: null });
      await world.scheduler.sleep(20_000);
    },
  },
  {
    name: 'a number is switched off while a delivery waits, and on again',
    schedule: short,
    async play(world) {
      const number = await firstWaiting(world);
      await switchNumber(world, number, false);
      await world.ingest(number, ['message']);
      await world.scheduler.sleep(10_000);
      heal(world);
      await switchNumber(world, number, true);
      await world.ingest(number, ['message']);
      await world.scheduler.sleep(30_000);
    },
  },
  {
    name: 'a delivery that waits is replayed',
    schedule: short,
    async play(world) {
      const number = await firstWaiting(world);
      await world.operate('replay', (service) => service.replay(number, anyDelivery(world)));
      heal(world);
      await world.operate('replay', (service) => service.replay(number, anyDelivery(world)));
      await world.scheduler.sleep(30_000);
    },
  },
  {
    name: 'what is exhausted is replayed, all of it at once',
    schedule: [1],
    async play(world) {
      const number = await world.newNumber({ webhook: receiver, secondary_webhook: another });
      world.receivers.isPoison = () => true;
      await world.ingest(number, ['message', 'message']);
      await world.scheduler.sleep(20_000);
      world.receivers.isPoison = () => false;
      await world.operate('replay of a range', (service) => service.replayRange(number, world.scheduler.now - minute));
      await world.scheduler.sleep(20_000);
    },
  },
  {
    name: 'the secret is rotated between two attempts',
    schedule: short,
    async play(world) {
      const number = await firstWaiting(world);
      await world.rotate(number);
      heal(world);
      await world.ingest(number, ['message']);
      await world.scheduler.sleep(30_000);
      await world.rotate(number);
      await world.ingest(number, ['message']);
    },
  },
  {
    name: 'headers are set and changed while a delivery waits, and the URL moves to another server and back',
    schedule: short,
    async play(world) {
      const number = await firstWaiting(world);
      await world.setHeader(number, 'webhook', receiver, 'first');
      heal(world);
      await world.ingest(number, ['message']);
      await world.scheduler.sleep(30_000);
      await world.setHeader(number, 'webhook', receiver, 'second');
      await world.ingest(number, ['message']);
      await put(world, number, { webhook: another });
      await world.ingest(number, ['message']);
      await put(world, number, { webhook: receiver });
      await world.ingest(number, ['message']);
      await world.scheduler.sleep(30_000);
      await world.ingest(number, ['message']);
    },
  },
  {
    name: 'the whole schedule is used up',
    schedule: defaultSchedule,
    isLong: true,
    async play(world) {
      const number = await world.newNumber({ webhook: receiver });
      world.receivers.isPoison = () => true;
      await world.ingest(number, ['message']);
      world.hurry();
      await world.scheduler.sleep(40 * 60 * minute);
    },
  },
];
