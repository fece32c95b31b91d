import { randomUUID } from 'node:crypto';
import { accountId } from '../base/account.ts';
import type { ScheduleDefinition } from '../template/schedules.ts';
import type { Invoke } from './invocation.ts';

export interface ScheduleOptions {
  readonly schedule: ScheduleDefinition;
  readonly invoke: Invoke;
  /** Receives what keeps an event from its function. */
  readonly onError: (error: Error) => void;
  /** Replaces the schedule's own period. */
  readonly periodSeconds?: number;
}

export interface Schedule {
  stop(): void;
}

/** EventBridge's "Scheduled Event". */
export function scheduledEvent({ arn }: ScheduleDefinition, time: Date): string {
  return JSON.stringify({
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: accountId,
    time: time.toISOString().replace(/\.\d+Z$/, 'Z'),
    region: arn.split(':')[3],
    resources: [arn],
    detail: {},
  });
}

/** Runs a function at a rate, first after one period. A slow run does not delay the next one. */
export function startSchedule({ schedule, invoke, onError, periodSeconds }: ScheduleOptions): Schedule {
  const run = () => {
    invoke(schedule.functionName, scheduledEvent(schedule, new Date())).catch(onError);
  };
  const timer = setInterval(run, (periodSeconds ?? schedule.periodSeconds) * 1000);
  return {
    stop: () => clearInterval(timer),
  };
}
