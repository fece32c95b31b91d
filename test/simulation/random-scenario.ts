import type { NotificationKind } from '#shared/delivery/delivery.ts';
import { builtInTargets, type Target } from '#shared/webhooks/subscriber.ts';
import type { Random } from './random.ts';
import type { Behaviour } from './receivers.ts';
import type { World } from './world.ts';

/**
 * A scenario of minutes to hours with everything that owners, receivers, upstream and machines may do, drawn at random.
 */
export async function randomScenario(world: World): Promise<void> {
  const { random } = world;
  const numbers: string[] = [];
  for (let count = random.between(1, 2); count > 0; count--) {
    numbers.push(await world.newNumber(someUrls(random)));
  }
  const actors = [
    ...numbers.map((number) => traffic(world, number)),
    ...numbers.map((number) => owner(world, number)),
    receivers(world),
    machines(world),
  ];
  await Promise.all(actors);
  await world.end();
}

const url = (random: Random) => `https://receiver-${random.below(6)}.example/`;
const ownNames = ['crm', 'bot'];
const formats = ['standard', 'meta'] as const;
const kinds: readonly NotificationKind[] = ['message', 'message', 'status', 'call'];

function someUrls(random: Random): Partial<Record<Target, string>> {
  const all = builtInTargets.map((target) => [target, url(random)] as const).filter(() => random.chance(0.7));
  return all.length > 0 ? Object.fromEntries(all) : { webhook: url(random) };
}

const pause = (random: Random) => (random.chance(0.7) ? random.between(100, 5_000) : random.between(5_000, 240_000));

async function traffic(world: World, number: string): Promise<void> {
  const { random, scheduler, history } = world;
  for (let bursts = random.between(1, 4); bursts > 0; bursts--) {
    await scheduler.sleep(pause(random));
    const count = random.chance(0.15) ? random.between(10, 14) : random.between(1, 3);
    await world.ingest(
      number,
      Array.from({ length: count }, () => random.pick(kinds)),
    );
    if (random.chance(0.2)) await world.repeat(random.pick([...history.events.keys()]));
  }
}

/** What the owner of a number does with its settings and deliveries. */
async function owner(world: World, number: string): Promise<void> {
  const { random, scheduler } = world;
  for (let acts = random.between(0, 4); acts > 0; acts--) {
    await scheduler.sleep(pause(random));
    await random.pick(ownerActs)(world, number);
  }
  await world.operate(`number ${number} on`, (service) => service.switchNumber(number, true));
}

const changeUrls = (world: World, number: string) => {
  const { random } = world;
  const target = random.pick(builtInTargets);
  const changes = { [target]: random.chance(0.3) ? null : url(random) };
  return world.operate(`PUT ${JSON.stringify(changes)}`, (service) => service.changeWebhooks(number, changes));
};

/** A change between two events: settings that were read just before it must not decide anything. */
async function changeUrlsUnderTraffic(world: World, number: string): Promise<void> {
  await world.ingest(number, ['message', 'call']);
  await world.scheduler.sleep(world.random.between(0, 400));
  await changeUrls(world, number);
  await world.ingest(number, ['message', 'call']);
}

/** A change of the header that a target gets, if it has a URL, between two events. */
async function changeHeaderUnderTraffic(world: World, number: string): Promise<void> {
  const { random, scheduler, history } = world;
  const target = random.pick(builtInTargets);
  const at = history.number(number).urls.of(target).at(-1)?.value;
  if (at === undefined) return;
  await world.ingest(number, ['message', 'call']);
  await scheduler.sleep(random.between(0, 400));
  await world.setHeader(number, target, at, random.chance(0.2) ? null : String(random.below(1_000)));
  await world.ingest(number, ['message', 'call']);
}

/** An event right after the change goes to the new URL, even if the machines' clocks differ. */
async function removeAndSetAgain(world: World, number: string): Promise<void> {
  const { random } = world;
  const target = random.pick(builtInTargets);
  for (const value of [null, url(random)]) {
    const changes = { [target]: value };
    await world.operate(`PUT ${JSON.stringify(changes)}`, (service) => service.changeWebhooks(number, changes));
  }
  await world.ingest(number, ['message', 'call']);
}

/** Makes a target with a name of its own between two events, or another one of this name, in either format. */
async function makeTarget(world: World, number: string): Promise<void> {
  const { random, scheduler } = world;
  const name = random.pick(ownNames);
  await world.ingest(number, ['message']);
  if (random.chance(0.4)) await world.operate(`DELETE ${name}`, (service) => service.deleteTarget(number, name));
  await scheduler.sleep(random.between(0, 400));
  const format = random.pick(formats);
  const changes = { url: url(random), format, ...(format === 'meta' && { verify_token: 'token' }) };
  await world.operate(`PUT ${name} ${JSON.stringify(changes)}`, (service) =>
    service.changeTarget(number, name, changes),
  );
  await world.ingest(number, ['message', 'call']);
}

/** Changes the format of a built-in target between two events; what came before keeps its own. */
async function changeFormat(world: World, number: string): Promise<void> {
  const { random, history } = world;
  const target = random.pick(builtInTargets);
  const at = history.number(number).urls.of(target).at(-1)?.value;
  if (at === undefined) return;
  await world.ingest(number, ['message', 'call']);
  const format = random.pick(formats);
  const app_secret = random.chance(0.5) ? `${random.below(1_000)}`.padStart(16, 's') : undefined;
  const changes = { url: at, format, ...(format === 'meta' && { verify_token: 'token', app_secret }) };
  await world.operate(`PUT ${target} ${JSON.stringify(changes)}`, (service) =>
    service.changeTarget(number, target, changes),
  );
  await world.ingest(number, ['message', 'call']);
}

const ownerActs: readonly ((world: World, number: string) => Promise<unknown>)[] = [
  changeUrls,
  changeUrls,
  changeUrlsUnderTraffic,
  changeUrlsUnderTraffic,
  removeAndSetAgain,
  changeHeaderUnderTraffic,
  changeHeaderUnderTraffic,
  makeTarget,
  makeTarget,
  makeTarget,
  changeFormat,
  changeFormat,
  (world, number) => world.rotate(number),
  (world, number) => world.operate('resume', (service) => service.resume(number)),
  async (world, number) => {
    const own = [...world.history.deliveries.values()].filter(({ item }) => item.subscriber === number);
    if (own.length === 0) return;
    const { id } = world.random.pick(own);
    await world.operate(`replay of ${id}`, (service) => service.replay(number, id));
  },
  (world, number) =>
    world.operate('replay of a range', (service) =>
      service.replayRange(number, world.scheduler.now - world.random.between(1, 60) * 60_000),
    ),
  async (world, number) => {
    await world.operate(`number ${number} off`, (service) => service.switchNumber(number, false));
    await world.scheduler.sleep(world.random.between(100, 120_000));
    await world.operate(`number ${number} on`, (service) => service.switchNumber(number, true));
  },
];

async function receivers(world: World): Promise<void> {
  const { random, scheduler } = world;
  if (random.chance(0.3)) world.receivers.isPoison = (id) => Number.parseInt(id.slice(-2), 16) % 5 === 0;
  for (let turns = random.between(0, 5); turns > 0; turns--) {
    const behaviour = random.pick(behaviours)(random);
    const at = url(random);
    world.trace.add(scheduler.now, at, 'behaves', behaviour);
    world.receivers.set(at, behaviour);
    await scheduler.sleep(pause(random) * 2);
  }
}

const behaviours: readonly ((random: Random) => Behaviour)[] = [
  () => ({ is: 'well' }),
  (random) => ({ is: 'slow', ms: random.between(200, 11_000) }),
  () => ({ is: 'hanging' }),
  () => ({ is: 'down' }),
  (random) => ({ is: 'failing', status: random.pick([500, 503, 404, 201, 204, 301, 410]) }),
  (random) => ({ is: 'failing', status: 429, retryAfterSeconds: random.between(1, 300) }),
  (random) => ({ is: 'flaky', failing: random.next() }),
];

async function machines(world: World): Promise<void> {
  const { random, scheduler } = world;
  for (let turns = random.between(0, 2); turns > 0; turns--) {
    await scheduler.sleep(pause(random));
    if (random.chance(0.5)) {
      world.jump(random.between(10_000, 15 * 60_000));
    } else {
      world.pauseDelivery();
      await scheduler.sleep(random.between(1_000, 20 * 60_000));
      world.resumeDelivery();
    }
  }
}
