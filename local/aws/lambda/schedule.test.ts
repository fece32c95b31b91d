import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ScheduleDefinition } from '../template/schedules.ts';
import { scheduledEvent, startSchedule } from './schedule.ts';

const schedule: ScheduleDefinition = {
  logicalId: 'Minutely',
  arn: 'arn:aws:events:eu-west-1:000000000000:rule/Minutely',
  functionName: 'Sweep',
  periodSeconds: 60,
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('startSchedule', () => {
  const start = (periodSeconds?: number) => {
    const errors: Error[] = [];
    const invoke = vi.fn(async () => ({ payload: 'null' }));
    const onError = (error: Error) => errors.push(error);
    const running = startSchedule({ schedule, invoke, onError, ...(periodSeconds && { periodSeconds }) });
    return { invoke, errors, running };
  };

  it('runs the function in each period until it stops', () => {
    const { invoke, running } = start();
    vi.advanceTimersByTime(59_999);
    expect(invoke).not.toHaveBeenCalled();
    vi.advanceTimersByTime(60_001);
    expect(invoke).toHaveBeenCalledTimes(2);
    expect(invoke).toHaveBeenCalledWith('Sweep', expect.stringContaining('"detail-type":"Scheduled Event"'));
    running.stop();
    vi.advanceTimersByTime(600_000);
    expect(invoke).toHaveBeenCalledTimes(2);
  });

  it('runs the function in a shorter period if one is configured', () => {
    const { invoke } = start(1);
    vi.advanceTimersByTime(3_000);
    expect(invoke).toHaveBeenCalledTimes(3);
  });

  it('startSchedule continues after a failure', async () => {
    const { invoke, errors } = start();
    invoke.mockRejectedValueOnce(new Error('stopped'));
    await vi.advanceTimersByTimeAsync(120_000);
    expect(invoke).toHaveBeenCalledTimes(2);
    expect(errors.map(({ message }) => message)).toEqual(['stopped']);
  });
});

describe('scheduledEvent', () => {
  const time = new Date('2026-11-20T07:53:24.123Z');

  it("has the shape of EventBridge's event", () => {
    expect(JSON.parse(scheduledEvent(schedule, time))).toEqual({
      version: '0',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      'detail-type': 'Scheduled Event',
      source: 'aws.events',
      account: '000000000000',
      time: '2026-11-20T07:53:24Z',
      region: 'eu-west-1',
      resources: ['arn:aws:events:eu-west-1:000000000000:rule/Minutely'],
      detail: {},
    });
  });
});
