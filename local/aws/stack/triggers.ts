import { startEventSource } from '../lambda/event-source.ts';
import type { Invoke } from '../lambda/invocation.ts';
import type { LambdaService } from '../lambda/lambda-service.ts';
import { startSchedule } from '../lambda/schedule.ts';
import { readEventSourceMappings } from '../template/event-source-mappings.ts';
import { readSchedules } from '../template/schedules.ts';
import type { QueueService } from './queues.ts';
import type { Stack } from './stack.ts';

/** How long running batches may take to end when the stack stops. */
const stopGraceMs = 2_000;

export interface TriggerOptions {
  readonly invoke: Invoke;
  /** Receives what keeps an event from its function. */
  readonly onError: (error: Error) => void;
}

export type EventSourceOptions = TriggerOptions & Pick<LambdaService, 'ready'>;

export interface ScheduleOptions extends TriggerOptions {
  /** Replaces the period of every schedule in the template. */
  readonly periodSeconds?: number | undefined;
}

/** Invokes functions at the rates that the template sets. */
export function startSchedules(stack: Stack, { periodSeconds, ...options }: ScheduleOptions) {
  const running = readSchedules(stack.template, stack.resolve).map((schedule) =>
    startSchedule({ ...options, schedule, periodSeconds: periodSeconds ?? schedule.periodSeconds }),
  );
  return {
    close() {
      for (const schedule of running) schedule.stop();
    },
  };
}

/** Feeds functions from the queues that the template maps to them. */
export function startEventSources(stack: Stack, sqs: QueueService, options: EventSourceOptions) {
  const mapped = readEventSourceMappings(stack.template, stack.resolve).map((mapping) => {
    const source = sqs.queue(mapping.queueName);
    if (source) return { mapping, source };
    throw new Error(`The event source mapping of ${mapping.functionName} names a queue that does not exist`);
  });
  const running = mapped.map((mapping) => startEventSource({ ...options, ...mapping }));
  return {
    async close(): Promise<void> {
      await Promise.all(running.map((source) => source.stop(stopGraceMs)));
    },
  };
}
