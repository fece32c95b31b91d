import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { breakers, deliveries, random, readPayload, schedule, sender, targets } from '#functions/webhooks/compose.ts';
import { describeError, log, withLogContext } from '#shared/base/logger.ts';
import { leaseMarginMs } from '#shared/base/time-limits.ts';
import { updateBreakers } from '#shared/delivery/attempt.ts';
import { deliver, newBatch } from '#shared/delivery/deliver.ts';
import type { DeliveryContext, ProcessContext } from '#shared/delivery/delivery-context.ts';
import { drain } from '#shared/delivery/drain.ts';
import { idsOf, parseMessage, type QueueMessage, requeue } from '#shared/delivery/notification.ts';
import type { NotificationSource, ReceivedMessage } from '#shared/delivery/notification-queue-store.ts';
import { queue, timeoutMs } from '#shared/operations/compose.ts';
import { run } from '#shared/operations/serve.ts';
import { isTransient, secretsFor, source, wait } from './compose.ts';
import { deliverNotifications as definition } from './contracts.ts';

/** Delay before a message that the store could not serve is handled again, plus or minus half. */
const postponedSeconds = 4;

/** Most batches take no longer than this. */
const shortBatchMs = 500;

/** The most batches that a process has in hand. One that it takes has ten messages and a megabyte at most. */
const maxInHand = 25;

export interface Dependencies extends ProcessContext {
  source: NotificationSource;
  wait: (ms: number) => Promise<unknown>;
}

/**
 * Delivers the messages of a batch in parallel. Only a fault of ours returns a message to the queue; a receiver's
 * failure is recorded with the delivery instead.
 */
export const makeHandler =
  (dependencies: Dependencies) =>
  async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    const { process, mayTake } = watched(dependencies);
    const batch = handleAll(Records, process);
    const [handled] = await Promise.all([batch, takeMoreDuring(batch, process, mayTake)]);
    const failed = Records.filter((record) => !handled.includes(record));
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

/**
 * A process may take more messages while it waits for a receiver, not for the table, whose troubles more work would
 * only add to. Payloads from the bucket are too large for its memory in great numbers.
 */
function watched(dependencies: Dependencies) {
  const { readPayload, sender } = dependencies;
  let posts = 0;
  let hasLarge = false;
  const process: Dependencies = {
    ...dependencies,
    readPayload(payload) {
      hasLarge ||= 'blob' in payload;
      return readPayload(payload);
    },
    sender: {
      ...sender,
      post(request) {
        posts++;
        return sender.post(request).finally(() => posts--);
      },
    },
  };
  return { process, mayTake: () => posts > 0 && !hasLarge };
}

/** Handles messages as one batch. Returns those that the queue may delete. */
async function handleAll<T extends ReceivedMessage>(messages: readonly T[], process: ProcessContext): Promise<T[]> {
  const context = newBatch(process);
  const handled = await Promise.all(messages.map((message) => handle(message, context)));
  await updateBreakers(context);
  return messages.filter((_, index) => handled[index]);
}

/**
 * While a batch waits for a receiver, takes more messages from the queue, so that receivers that hang do not keep all
 * processes from serving others. It stops early enough for one more attempt.
 */
async function takeMoreDuring(batch: Promise<unknown>, process: Dependencies, mayTake: () => boolean): Promise<void> {
  const { source, wait, now, timeoutMs } = process;
  const killedAt = now() + definition.timeoutSeconds * 1000;
  const end = killedAt - timeoutMs - leaseMarginMs;
  const inHand = new Set<Promise<unknown>>();
  const hold = (work: Promise<unknown>) => {
    const held = work.finally(() => inHand.delete(held));
    inHand.add(held);
  };
  // A message that is not deleted becomes visible again, and another process handles it.
  const handleTaken = (messages: readonly ReceivedMessage[]) =>
    handleAll(messages, process).then(source.delete).catch(noteFailure);
  hold(batch);
  while (inHand.size > 0 && now() < end) {
    if (inHand.size === maxInHand || !mayTake()) {
      await Promise.race([...inHand, wait(shortBatchMs)]);
      continue;
    }
    const messages = await source.receive().catch(noteFailure);
    // What comes too late for an attempt becomes visible again: it must not be cut off, and all else with it.
    if (!messages || now() + timeoutMs > killedAt) break;
    if (messages.length > 0) hold(handleTaken(messages));
  }
  await Promise.all(inHand);
}

const noteFailure = (error: unknown) => log('warn', 'queue.failed', describeError(error));

export const start = run(definition, makeHandler, {
  deliveries,
  targets,
  breakers,
  secretsFor,
  queue,
  sender,
  readPayload,
  schedule,
  timeoutMs,
  isTransient,
  random,
  source,
  wait,
});

/** Returns whether the queue may delete the message. */
function handle({ body, messageId }: ReceivedMessage, context: DeliveryContext): Promise<boolean> {
  const message = parseMessage(body);
  const ids = message instanceof Error ? {} : idsOf(message);
  return withLogContext({ message: messageId, ...ids }, async () => {
    try {
      if (message instanceof Error) throw message;
      await handleOrPostpone(message, context);
      return true;
    } catch (error) {
      log('error', 'delivery.failed', describeError(error));
      return false;
    }
  });
}

/**
 * Does what a message says. If other requests keep the store from it, the message is queued again with a delay, so that
 * the queue does not count a failed receive.
 */
async function handleOrPostpone(message: QueueMessage, context: DeliveryContext): Promise<void> {
  try {
    await (message.task === 'drain' ? drain(message, context) : deliver(message, context));
  } catch (error) {
    if (!context.isTransient(error)) throw error;
    log('warn', 'delivery.postponed', { error: error.name });
    await requeue(message, postponedSeconds * (0.5 + context.random()), context);
  }
}
