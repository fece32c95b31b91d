import { setTimeout as delay } from 'node:timers/promises';
import { longestWaitSeconds, mostInBatch } from '../sqs/limits.ts';
import type { MessageSource, ReceivedMessage } from '../sqs/message.ts';
import type { EventSourceMapping } from '../template/event-source-mappings.ts';
import { failedMessageIds } from './batch-response.ts';
import { type Invoke, type InvokeResult, ThrottledError } from './invocation.ts';
import { type SqsBatch, toSqsEvents } from './sqs-event.ts';

export interface EventSourceOptions {
  readonly mapping: EventSourceMapping;
  readonly source: MessageSource;
  readonly invoke: Invoke;
  /** Waits until the function can take an event. Until then messages gather in the queue, for larger batches. */
  readonly ready?: (functionName: string) => Promise<void>;
  /** Receives what keeps a batch from its function, or a queue from being read. */
  readonly onError: (error: Error) => void;
}

export interface EventSource {
  /** Stops receiving, and waits up to this long for the running batches. */
  stop(graceMilliseconds: number): Promise<void>;
}

const throttleRetriesMs = [100, 200, 400, 800, 1_600];
const pollRetryMs = 1_000;

/** Feeds a function from a queue, as Lambda's event source mapping for SQS does. */
export function startEventSource({ mapping, source, invoke, ready, onError }: EventSourceOptions): EventSource {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Set<Promise<void>>();

  const receive = (maxMessages: number, waitSeconds: number) =>
    source.receive({ maxMessages: Math.min(maxMessages, mostInBatch), waitSeconds, signal });

  /** Collects a batch until it is full, or until the window that began with its first message is over. */
  async function collect(): Promise<ReceivedMessage[]> {
    const batch = await receive(mapping.batchSize, longestWaitSeconds);
    const end = performance.now() + mapping.batchingWindowSeconds * 1000;
    while (batch.length > 0 && batch.length < mapping.batchSize && !signal.aborted) {
      const seconds = (end - performance.now()) / 1000;
      if (seconds <= 0) break;
      batch.push(...(await receive(mapping.batchSize - batch.length, seconds)));
    }
    return batch;
  }

  /** Retries a throttled function for a while. After that the messages become visible again by themselves. */
  async function invokeWithRetry(event: string): Promise<InvokeResult> {
    for (const wait of throttleRetriesMs) {
      try {
        return await invoke(mapping.functionName, event);
      } catch (error) {
        if (!(error instanceof ThrottledError)) throw error;
        await delay(wait, undefined, { signal });
      }
    }
    return invoke(mapping.functionName, event);
  }

  async function deliver({ messages, event }: SqsBatch): Promise<void> {
    const result = await invokeWithRetry(event);
    const ids = new Set(messages.map(({ messageId }) => messageId));
    const failed = failedMessageIds(result, ids, mapping.reportBatchItemFailures);
    // A failed message stays in flight and becomes visible again after its visibility timeout.
    for (const { messageId, receiptHandle } of messages) {
      if (!failed.has(messageId)) source.delete(receiptHandle);
    }
  }

  function report(error: unknown): void {
    if (!signal.aborted) onError(error instanceof Error ? error : new Error(String(error)));
  }

  async function roomForBatch(): Promise<void> {
    while (running.size >= mapping.maximumConcurrency) {
      await Promise.race(running);
    }
    await ready?.(mapping.functionName);
  }

  function start(batch: SqsBatch): void {
    const run = deliver(batch)
      .catch(report)
      .finally(() => running.delete(run));
    running.add(run);
  }

  /** Receives only when there is room, so that no message waits here while its visibility timeout runs. */
  async function poll(): Promise<void> {
    await roomForBatch();
    const messages = signal.aborted ? [] : await collect();
    for (const batch of signal.aborted ? [] : toSqsEvents(messages, mapping.queueArn)) {
      await roomForBatch();
      start(batch);
    }
  }

  async function pollUntilStopped(): Promise<void> {
    while (!signal.aborted) {
      try {
        await poll();
      } catch (error) {
        report(error);
        await delay(pollRetryMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  const polling = pollUntilStopped();

  return {
    async stop(graceMilliseconds) {
      stopping.abort();
      const ended = polling.then(() => Promise.all(running));
      await Promise.race([ended, delay(graceMilliseconds, undefined, { ref: false })]);
    },
  };
}
