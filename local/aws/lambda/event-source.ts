import { setTimeout as delay } from 'node:timers/promises';
import { longestWaitSeconds, type MessageSource, maxInBatch, type ReceivedMessage } from '../sqs/queue/message.ts';
import type { EventSourceMapping } from '../template/event-source-mappings.ts';
import { type Invoke, type InvokeResult, ThrottledError } from './invocation.ts';
import { failedMessageIds, toSqsEvent } from './sqs-batch.ts';

export interface EventSourceOptions {
  readonly mapping: EventSourceMapping;
  readonly source: MessageSource;
  readonly invoke: Invoke;
  /**
   * Waits until the function can take an event. Until then messages gather in the queue, for larger batches. Lambda does
   * not wait: it has more room than a machine with few cores.
   */
  readonly ready?: (functionName: string) => Promise<void>;
  /** Receives what keeps a batch from its function, or a queue from being read. */
  readonly onError: (error: Error) => void;
}

export interface EventSource {
  /** Stops receiving, and waits up to this long for the running batches. */
  stop(graceMilliseconds: number): Promise<void>;
}

/** "Configuring scaling behavior for SQS event source mappings" of Lambda's guide: five, and up to 300 more a minute. */
const pollersAtFirst = 5;
const newPollerMs = 200;

const throttleRetriesMs = [100, 200, 400, 800, 1_600];
const pollRetryMs = 1_000;

/**
 * Feeds a function from a queue, as Lambda's event source mapping for SQS does. Several pollers receive at the same time.
 * Each has one batch at a time, and receives the next one when the function is done with it. So no message waits here
 * while its visibility timeout runs, and the pollers are never more than the batches that may run at once.
 *
 * While all pollers have a batch, or wait for the function, more join. One that finds nothing leaves, as long as the
 * first five are left.
 */
export function startEventSource({ mapping, source, invoke, ready, onError }: EventSourceOptions): EventSource {
  const stopping = new AbortController();
  const { signal } = stopping;
  const polling = new Set<Promise<void>>();
  const fewestPollers = Math.min(pollersAtFirst, mapping.maximumConcurrency);
  let pollers = 0;
  let busyPollers = 0;

  const receive = (maxMessages: number, waitSeconds: number) =>
    source.receive({ maxMessages: Math.min(maxMessages, maxInBatch), waitSeconds, signal });

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

  async function deliver(messages: readonly ReceivedMessage[]): Promise<void> {
    const result = await invokeWithRetry(toSqsEvent(messages, mapping.queueArn));
    const ids = new Set(messages.map(({ messageId }) => messageId));
    const failed = failedMessageIds(result, ids, mapping.reportBatchItemFailures);
    // A failed message stays in flight and becomes visible again after its visibility timeout.
    const done = messages.filter(({ messageId }) => !failed.has(messageId));
    await Promise.all(done.map(({ receiptHandle }) => source.delete(receiptHandle)));
  }

  function report(error: unknown): void {
    if (!signal.aborted) onError(error instanceof Error ? error : new Error(String(error)));
  }

  async function whileBusy(work: () => Promise<void>): Promise<void> {
    busyPollers += 1;
    await work().finally(() => {
      busyPollers -= 1;
    });
  }

  /** Receives a batch and delivers it. Returns whether there was one. */
  async function poll(): Promise<boolean> {
    if (ready) await whileBusy(() => ready(mapping.functionName));
    const messages = signal.aborted ? [] : await collect();
    if (messages.length === 0 || signal.aborted) return false;
    await whileBusy(() => deliver(messages).catch(report));
    return true;
  }

  /** Polls until it is time to stop, or until this poller is not needed. */
  async function pollWhileNeeded(): Promise<void> {
    while (!signal.aborted) {
      try {
        const found = await poll();
        if (!found && pollers > fewestPollers) break;
      } catch (error) {
        report(error);
        await delay(pollRetryMs, undefined, { signal }).catch(() => undefined);
      }
    }
    pollers -= 1;
  }

  function addPoller(): void {
    pollers += 1;
    const ended = pollWhileNeeded().finally(() => polling.delete(ended));
    polling.add(ended);
  }

  for (let started = 0; started < fewestPollers; started += 1) addPoller();
  const growth = setInterval(() => {
    if (busyPollers === pollers && pollers < mapping.maximumConcurrency) addPoller();
  }, newPollerMs).unref();

  return {
    async stop(graceMilliseconds) {
      clearInterval(growth);
      stopping.abort();
      await Promise.race([Promise.all(polling), delay(graceMilliseconds, undefined, { ref: false })]);
    },
  };
}
