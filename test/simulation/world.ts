import {
  deliverNotifications as deliverDefinition,
  sweepDeliveries as sweepDefinition,
} from '#functions/deliveries/contracts.ts';
import type { NotificationKind } from '#shared/delivery/delivery.ts';
import type { Attempt, PostRequest } from '#shared/egress/post.ts';
import type { Target } from '#shared/webhooks/subscriber.ts';
import { createSecret } from '#shared/webhooks/webhook-signature.ts';
import { Memory } from '../../support/memory-stores/memory.ts';
import { type Fault, type FaultPlan, noFaults } from './faults.ts';
import { ended, History, type KnownEvent, ownHeader } from './history.ts';
import { checkEnd } from './invariants.ts';
import { type Process, simulatedCalls } from './process.ts';
import { seededRandom } from './random.ts';
import { Receivers } from './receivers.ts';
import { Scheduler } from './scheduler.ts';
import { type Service, type Surroundings, serviceIn, shortMessage } from './service.ts';
import { type Message, SimulatedQueue } from './simulated-queue.ts';
import { Trace } from './trace.ts';

export interface WorldOptions {
  seed: number;
  schedule: readonly number[];
  faults: FaultPlan;
  /** Delivery processes at once. */
  deliveryProcesses: number;
  /** By how much the clocks of processes are off, at most. */
  skewMs: number;
  /** How likely a message is handed out twice. */
  twice: number;
  /** How likely the queue loses a message that the sweep replaces. */
  losing: number;
  maxSteps: number;
}

export type World = ReturnType<typeof createWorld>;

const start = Date.UTC(2026, 0, 31);
const minute = 60_000;

/** Gateways give up on an operation after this. */
const operationMs = 29_000;

/** As the stack configures it. Faults that are not the message's own never reach this limit. */
const maxReceiveCount = 20;

const batchSize = 10;
const deliverTimeoutMs = (deliverDefinition.timeoutSeconds ?? 0) * 1000;
const sweepTimeoutMs = (sweepDefinition.timeoutSeconds ?? 0) * 1000;
const sweepEveryMs = minute;
const longestSweepGapMs = 15 * minute;

/** Faults of a POST: the receiver never gets it, or the response never arrives. */
const lost: ReadonlySet<Fault> = new Set(['fails-before', 'repeated', 'throttled']);
const cut: ReadonlySet<Fault> = new Set(['fails-after', 'doubled', 'fails-late']);

/** What an operation looks like to its client: it is over, it was rejected, or there was no response. */
export type Outcome<T> = { value: T } | { error: unknown } | { unknown: true };

/**
 * The whole service on a virtual clock: delivery processes, queue, table, sweep, operations, receivers, and what
 * happens to them.
 */
export function createWorld(options: WorldOptions) {
  const seeds = seededRandom(options.seed);
  const random = seeds.fork();
  const timing = seeds.fork();
  const trace = new Trace(start);
  const scheduler: Scheduler = new Scheduler(start, options.maxSteps, () => history.check());
  const now = () => scheduler.now;
  const history = new History(now, options.schedule);
  const calls = simulatedCalls({ scheduler, trace, random: timing, faults: options.faults });
  const receivers = new Receivers(seeds.fork());
  let { twice, losing } = options;

  const memory = new Memory({
    now,
    indexLagMs: () => (timing.chance(0.05) ? timing.between(500, 3_000) : timing.between(0, 40)),
    pageSize: random.between(2, 30),
    observer: history,
  });
  const queue = new SimulatedQueue({
    scheduler,
    random: seeds.fork(),
    maxReceiveCount,
    twice: () => twice,
    loses: (body, delaySeconds) => isMadeUpFor(body, delaySeconds) && timing.chance(losing),
    onVisible: () => wakeDelivery(),
  });
  const surroundings: Surroundings = {
    calls,
    memory,
    queue,
    post,
    sleep: (ms) => scheduler.sleep(ms),
    schedule: options.schedule,
    timeoutMs: 10_000,
    random: seeds.fork().next,
    uuid: () => timing.uuid(scheduler.now),
  };

  function newProcess(name: string): { process: Process; service: Service } {
    const process = calls.newProcess(name, timing.between(-options.skewMs, options.skewMs));
    return { process, service: serviceIn(process, surroundings) };
  }

  /** One POST to a receiver. The simulation never repeats it, and a failure is only an outcome of the attempt. */
  function post(process: Process, request: PostRequest): Promise<Attempt> {
    return new Promise((resolve) => {
      if (!process.isAlive) return;
      const begunAt = now();
      const fault = calls.nextFault(process, 'POST', request.url);
      if (fault === 'dies-before') return process.kill('POST');
      scheduler.after(fault === 'slow' ? timing.between(500, 5_000) : timing.between(1, 10), () => {
        const attempt = attemptOf(process, request, fault, begunAt);
        scheduler.after(attempt.durationMs, () => {
          if (process.isAlive) resolve(attempt);
        });
        if (fault === 'dies-after') process.kill('POST');
      });
    });
  }

  function attemptOf(process: Process, request: PostRequest, fault: Fault | undefined, begunAt: number): Attempt {
    if (fault && lost.has(fault)) return { outcome: 'failed', durationMs: 1_000, error: 'connect-timeout' };
    const id = String(request.headers['webhook-id']);
    history.onPost(request, begunAt);
    const { accepts, attempt } = receivers.react(request);
    if (accepts) history.onAccepted(id);
    const { durationMs } = attempt;
    const seen: Attempt = fault && cut.has(fault) ? { outcome: 'failed', durationMs, error: 'reset' } : attempt;
    const said = seen.outcome === 'responded' ? seen.status : seen.error;
    trace.add(scheduler.now, process.name, `POST ${request.url}`, `${id} -> ${said} after ${durationMs} ms`);
    return seen;
  }

  const idle = Array.from({ length: options.deliveryProcesses }, (_, index) => newProcess(`delivery-${index + 1}`));
  let busy = 0;
  let deliveryIsPaused = false;
  let started = options.deliveryProcesses;

  function wakeDelivery(): void {
    while (!deliveryIsPaused && idle.length > 0) {
      const messages = queue.receive(timing.chance(0.5) ? batchSize : timing.between(1, batchSize));
      if (messages.length === 0) return;
      const [deliveryProcess] = idle.splice(timing.below(idle.length), 1);
      if (deliveryProcess) invoke(deliveryProcess, messages);
    }
  }

  /**
   * Gives a batch to a delivery process. Handled messages are deleted; the others become visible again, also if it
   * dies.
   */
  function invoke(deliveryProcess: ReturnType<typeof newProcess>, messages: readonly Message[]): void {
    busy++;
    const { process, service } = deliveryProcess;
    trace.add(scheduler.now, process.name, 'receives', () => messages.map(({ body }) => shortMessage(body)));
    let isOver = false;
    const over = (next: ReturnType<typeof newProcess>) => {
      if (isOver) return;
      isOver = true;
      busy--;
      cancelTimeout();
      idle.push(next);
      wakeDelivery();
    };
    const replacement = () => newProcess(`delivery-${++started}`);
    process.onEnd(() => over(replacement()));
    const cancelTimeout = scheduler.after(deliverTimeoutMs, () => process.kill('timeout'));
    service.deliver(messages).then((failed) => {
      for (const { id } of messages) if (!failed.includes(id) && !timing.chance(twice / 4)) queue.delete(id);
      // Now and then, Lambda does not keep an environment.
      over(timing.chance(0.05) ? replacement() : deliveryProcess);
    }, crashed(process));
  }

  /** A function that throws ends as if it were killed. */
  const crashed = (process: Process) => (error: unknown) => {
    trace.add(scheduler.now, process.name, 'throws', error);
    process.kill('it threw');
  };

  let isCalm = false;
  let sweeps = 0;

  function planSweep(gapMs: number): void {
    scheduler.after(gapMs, () => {
      const { process, service } = newProcess(`sweep-${++sweeps}`);
      const before = queue.sent;
      const cancelTimeout = scheduler.after(sweepTimeoutMs, () => process.kill('timeout'));
      const next = () => {
        cancelTimeout();
        const isIdle = isCalm && before === queue.sent && queue.messages.size === 0;
        planSweep(isIdle ? Math.min(gapMs * 2, longestSweepGapMs) : sweepEveryMs);
      };
      process.onEnd(next);
      service.sweep().then(next, crashed(process));
    });
  }

  /** Runs an operation in a process of its own, as a client sees it. */
  async function operate<T>(name: string, run: (service: Service) => Promise<T>): Promise<Outcome<T>> {
    const { process, service } = newProcess(name);
    trace.add(scheduler.now, name, 'begins');
    const outcome = await new Promise<Outcome<T>>((resolve) => {
      process.onEnd(() => resolve({ unknown: true }));
      const cancelTimeout = scheduler.after(operationMs, () => process.kill('timeout'));
      const complete = (result: Outcome<T>) => {
        cancelTimeout();
        resolve(result);
      };
      run(service).then(
        (value) => complete({ value }),
        (error) => complete({ error }),
      );
    });
    trace.add(scheduler.now, name, 'ends', 'error' in outcome ? outcome.error : Object.keys(outcome).join());
    return outcome;
  }

  let events = 0;

  /** Sends the service events in one request, again and again until it takes them, as the upstream does. */
  async function ingest(number: string, kinds: readonly NotificationKind[]): Promise<void> {
    const requested = kinds.map((kind) => {
      const event = {
        id: `event-${++events}`,
        number,
        kind,
        sentAt: scheduler.now,
        ingestions: [],
        lastRequestEndsAt: 0,
      };
      history.events.set(event.id, event);
      return event;
    });
    await send(requested);
  }

  async function send(events: readonly KnownEvent[]): Promise<void> {
    const body = upstreamBody(events);
    const from = scheduler.now;
    for (let tries = 1; ; tries++) {
      for (const event of events) event.lastRequestEndsAt = Number.POSITIVE_INFINITY;
      const outcome = await operate(`ingestion of ${events.map(({ id }) => id).join()}`, (service) =>
        service.ingest(body),
      );
      for (const event of events) event.lastRequestEndsAt = scheduler.now;
      if ('value' in outcome) break;
      await scheduler.sleep(Math.min(tries * 5_000, 10 * minute));
    }
    for (const { ingestions } of events) ingestions.push({ from, to: scheduler.now });
  }

  const unended = () => [...history.deliveries.values()].filter(({ item }) => !ended.has(item.state)).length;
  const troubled = () =>
    [...history.numbers.values()].some(({ breakers }) =>
      Object.values(breakers).some(
        (known) => known?.breaker.drain !== undefined || known?.breaker.opened_at !== undefined,
      ),
    );
  const isDone = () => busy === 0 && queue.messages.size === 0 && unended() === 0 && !troubled();

  /** Lets time pass until nothing is left to do, or for at most this long. */
  async function waitUntilDone(forMs: number): Promise<void> {
    const end = scheduler.now + forMs;
    for (let gap = 1_000; scheduler.now < end && !isDone(); gap = Math.min(gap * 1.5, minute)) {
      await scheduler.sleep(gap);
    }
  }

  planSweep(sweepEveryMs);

  return {
    options,
    random,
    scheduler,
    trace,
    history,
    calls,
    queue,
    receivers,
    operate,
    ingest,

    /** The upstream repeats an event that the service has taken. */
    repeat: async (id: string) => {
      const event = history.events.get(id);
      if (event) await send([event]);
    },

    /** A number with these URLs and a secret that its owner has. */
    async newNumber(urls: Partial<Record<Target, string>>): Promise<string> {
      const id = timing.uuid(scheduler.now);
      calls.setFaults(noFaults);
      await operate(`creation of ${id}`, async (service) => {
        const number = {
          id,
          workspace: timing.uuid(scheduler.now),
          phone_number_id: phoneNumberId(id),
          display_phone_number: '+15550100001',
          active: true,
          calling_enabled: true,
          created_at: scheduler.now,
        };
        const secret = createSecret();
        await service.numbers.create(number, secret);
        history.handOut(id, secret);
        await service.changeWebhooks(id, urls);
      });
      calls.setFaults(options.faults);
      return id;
    },

    async rotate(number: string): Promise<void> {
      const outcome = await operate(`rotation of ${number}`, (service) => service.rotateSecret(number));
      if ('value' in outcome) history.handOut(number, outcome.value.secret);
    },

    /** The owner sets a header of a target at this URL, or removes it. */
    async setHeader(number: string, target: Target, url: string, value: string | null): Promise<void> {
      const headers = value === null ? null : { [ownHeader]: `${new URL(url).origin} ${value}` };
      const outcome = await operate(`PUT headers of ${target}`, (service) =>
        service.changeHeaders(number, target, url, headers),
      );
      if ('value' in outcome) history.headersAreSet(number, target);
    },

    pauseDelivery(): void {
      deliveryIsPaused = true;
    },

    resumeDelivery(): void {
      deliveryIsPaused = false;
      wakeDelivery();
    },

    /** Moves all clocks forward by this much at once, even for work in progress. */
    jump(ms: number): void {
      trace.add(scheduler.now, 'clock', `jumps by ${ms} ms`);
      scheduler.now += ms;
      history.onJump(ms);
    },

    /** From now on most of the sweeps that have nothing to do are left out. */
    hurry(): void {
      isCalm = true;
    },

    /** Ends all faults, lets the remaining work finish, and checks the result. */
    async end(days = 3): Promise<void> {
      trace.add(scheduler.now, 'world', 'is well from now on');
      calls.setFaults(noFaults);
      twice = 0;
      losing = 0;
      deliveryIsPaused = false;
      isCalm = true;
      receivers.healAll();
      wakeDelivery();
      // Occasional events for each target show targets with an open breaker that their receiver works again.
      for (let round = 0; round < 6; round++) {
        await waitUntilDone((days * 86_400_000) / 6);
        for (const number of history.numbers.keys()) await ingest(number, ['message', 'call']);
        await waitUntilDone(10 * minute);
        if (isDone() && round > 0) break;
      }
      checkEnd(history, queue, options.schedule.length + 1);
    },
  };
}

/**
 * The retry of a delivery that waits, for which the due index makes up. A message that looks again after another's
 * attempt comes sooner.
 */
const isMadeUpFor = (body: string, delaySeconds: number) => delaySeconds > 6 && body.startsWith('{"task":"retry"');

const phoneNumberId = (number: string) => String(Number.parseInt(number.slice(-10), 16));

function upstreamBody(events: readonly KnownEvent[]) {
  const changes = events.map(({ id, number, kind, sentAt }) => ({
    field: kind === 'call' ? 'calls' : 'messages',
    value: {
      messaging_product: 'whatsapp',
      metadata: { phone_number_id: phoneNumberId(number) },
      ...parts(kind, { id, timestamp: String(Math.floor(sentAt / 1000)), from: '15550100999' }),
    },
  }));
  return { object: 'whatsapp_business_account', entry: [{ id: '1', changes }] };
}

function parts(kind: NotificationKind, item: { id: string; timestamp: string; from: string }): object {
  switch (kind) {
    case 'call':
      return { calls: [{ ...item, to: '15550100001', event: 'terminate', direction: 'USER_INITIATED' }] };
    case 'status':
      return { statuses: [{ ...item, status: 'delivered', recipient_id: item.from }] };
    default:
      return { messages: [{ ...item, type: 'text', text: { body: 'Hello' } }] };
  }
}
