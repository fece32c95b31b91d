import type { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { makeHandler as makeDeliverHandler } from '#functions/deliveries/deliver-notifications.ts';
import { makeHandler as makeSweepHandler } from '#functions/deliveries/sweep-deliveries.ts';
import { isTransient } from '#shared/aws/table.ts';
import { changeTarget, deleteTarget } from '#shared/delivery/change-target.ts';
import { changeWebhooks, type WebhookChanges } from '#shared/delivery/change-webhooks.ts';
import type { ProcessContext } from '#shared/delivery/delivery-context.ts';
import { startDrain } from '#shared/delivery/drain.ts';
import { payloadStore } from '#shared/delivery/notification.ts';
import {
  type NotificationSource,
  notificationQueue,
  type QueueClient,
} from '#shared/delivery/notification-queue-store.ts';
import { replay, replayRange } from '#shared/delivery/replay.ts';
import type { Attempt, PostRequest } from '#shared/egress/post.ts';
import { splitEvents } from '#shared/ingestion/events.ts';
import { ingest } from '#shared/ingestion/ingest.ts';
import { rotateSecret } from '#shared/webhooks/rotate-secret.ts';
import { type Target, targetsOf } from '#shared/webhooks/subscriber.ts';
import { rememberSecrets } from '#shared/webhooks/subscriber-store.ts';
import type { TargetChanges } from '#shared/webhooks/webhook-settings.ts';
import type { Memory } from '../../support/memory-stores/memory.ts';
import { memoryStores } from '../../support/memory-stores/memory-stores.ts';
import { challengeIn } from '../../support/worlds/delivery-engine.ts';
import type { Caller, Process } from './process.ts';
import type { SimulatedQueue } from './simulated-queue.ts';

/** What the product's code uses in place of AWS and the internet. */
export interface Surroundings {
  calls: Caller;
  memory: Memory;
  queue: Pick<SimulatedQueue, 'send' | 'receive' | 'delete'>;
  sleep: (ms: number) => Promise<void>;
  post: (process: Process, request: PostRequest) => Promise<Attempt>;
  schedule: readonly number[];
  timeoutMs: number;
  random: () => number;
  uuid: () => string;
}

export type Service = ReturnType<typeof serviceIn>;

/** The product as one process runs it. */
export function serviceIn(process: Process, surroundings: Surroundings) {
  const { now } = process;
  const { schedule, timeoutMs, random } = surroundings;
  const { deliveries, targets, breakers, secrets, numbers } = memoryStores(
    surroundings.memory,
    (action, detail, effect) => surroundings.calls.call(process, { action, detail, effect }),
  );
  const queue = queueOf(process, surroundings);
  const payloads = payloadStore({
    put: () => Promise.reject(new Error('Nothing in the simulation is that large')),
    get: () => Promise.reject(new Error('Nothing in the simulation is that large')),
  } as unknown as Parameters<typeof payloadStore>[0]);

  const context: ProcessContext = {
    deliveries,
    targets,
    breakers,
    secretsFor: rememberSecrets(secrets.get, now),
    queue,
    sender: { post: (request) => surroundings.post(process, request), close: () => undefined },
    readPayload: payloads.read,
    schedule,
    timeoutMs,
    isTransient,
    now,
    random,
  };
  /** Receivers pass every handshake. */
  const changeContext = {
    ...context,
    secrets,
    checkUrl: async () => undefined,
    ask: async (url: string) => challengeIn(url),
  };
  const deliver = makeDeliverHandler({ ...context, source: sourceOf(process, surroundings), wait: surroundings.sleep });
  const sweep = makeSweepHandler(context);

  const existing = async (number: string) => {
    const found = await numbers.get(number);
    if (!found) throw new Error(`There is no number ${number}`);
    return found;
  };

  return {
    numbers,
    targets,
    breakers,

    /** Handles a batch of the queue; returns the ids of the messages to deliver again. */
    async deliver(messages: readonly { id: string; body: string }[]): Promise<string[]> {
      const Records = messages.map(({ id, body }) => ({ messageId: id, body }));
      const { batchItemFailures } = await deliver({ Records } as Parameters<typeof deliver>[0]);
      return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    },

    sweep: () => sweep(),

    /** Ingests one request of the upstream. */
    ingest: (body: unknown) =>
      ingest(splitEvents(body, now()), {
        findNumber: targets.findByPhoneNumberId,
        businessAccounts: { listWorkspaces: async () => [] },
        flows: {
          findByUpstreamId: async () => undefined,
          followUpstreamStatus: () => Promise.reject(new Error('No Flow here')),
        },
        announce: () => Promise.reject(new Error('No Flow here')),
        sentFlows: {
          find: async () => undefined,
          findByMessage: async () => undefined,
          advance: () => Promise.reject(new Error('No Flow was sent')),
        },
        payloads,
        queue,
        isFor: async () => true,
        noteEvents: async () => {},
        now,
      }),

    changeWebhooks: async (number: string, changes: WebhookChanges) =>
      changeWebhooks(await existing(number), { changes, isOwner: true }, changeContext),

    /** Sets headers of a target, or removes them (`null`), if it has this URL. */
    changeHeaders: async (number: string, target: Target, url: string, headers: Record<string, string> | null) =>
      changeTarget(await existing(number), { name: target, isOwner: true }, { headers, url }, changeContext),

    /** Makes a target with a name of its own, or changes a target. */
    changeTarget: async (number: string, name: string, changes: TargetChanges) =>
      changeTarget(await existing(number), { name, isOwner: true }, changes, changeContext),

    deleteTarget: async (number: string, name: string) =>
      deleteTarget(await existing(number), name, { targets, queue }),

    switchNumber: (number: string, active: boolean) => numbers.set(number, { active }),

    async resume(number: string, target?: Target): Promise<void> {
      const settings = await targets.read(number);
      const all = settings ? targetsOf(settings) : [];
      for (const each of target ? [target] : all) await startDrain(number, each, context);
    },

    async replay(number: string, delivery: string): Promise<void> {
      const settings = await targets.read(number);
      const found = settings && (await deliveries.get(number, delivery, targetsOf(settings)));
      if (found) await replay(await existing(number), found, context);
    },

    replayRange: async (number: string, since: number) =>
      replayRange(await existing(number), { since: new Date(since).toISOString() }, context),

    rotateSecret: async (number: string) => rotateSecret(await existing(number), { secrets, now }),
  };
}

/** A message without its payload. */
export function shortMessage(body: string): string {
  const { task, payload, subscriber, ...rest } = JSON.parse(body);
  const event = /event-\d+/.exec(JSON.stringify(payload ?? ''))?.[0] ?? '';
  return `${task} ${event} ${Object.values(rest).join(' ')}`;
}

/** How long a receive waits for a first message. */
const longestPollMs = 1_000;

function sourceOf(process: Process, { calls, queue, sleep }: Surroundings): NotificationSource {
  const receive = () =>
    calls.call(process, {
      action: 'ReceiveMessage',
      effect: () => queue.receive(10).map(({ id, body }) => ({ messageId: id, body, receiptHandle: id })),
    });
  return {
    async receive() {
      const messages = await receive();
      if (messages.length > 0) return messages;
      await sleep(longestPollMs);
      return receive();
    },
    delete: (handled) =>
      calls.call(process, {
        action: 'DeleteMessageBatch',
        effect: () => {
          for (const { messageId } of handled) queue.delete(messageId);
        },
      }),
  };
}

function queueOf(process: Process, { calls, queue }: Surroundings) {
  const send = ({ input }: SendMessageBatchCommand) => {
    const entries = input.Entries ?? [];
    return calls.call(process, {
      action: 'SendMessageBatch',
      detail: () =>
        entries.map(({ MessageBody = '', DelaySeconds = 0 }) => `${shortMessage(MessageBody)} after ${DelaySeconds} s`),
      effect: () => {
        for (const { MessageBody = '', DelaySeconds = 0 } of entries) {
          queue.send(MessageBody, DelaySeconds);
        }
        return {};
      },
    });
  };
  return notificationQueue('https://queue.example', { send: send as QueueClient['send'] });
}
