import { describe, expect, it } from 'vitest';
import { textOfTime } from '../console/line.ts';
import { readableLine } from './log-line.ts';

const timestamp = '2026-11-29T02:13:09.942Z';
const time = textOfTime(timestamp);
const lineOf = (message: unknown, level = 'INFO') =>
  readableLine('CreateFlow', JSON.stringify({ timestamp, level, requestId: 'r', message }));

describe('a line of a log for people', () => {
  it('has the time, the operation and the outcome of a request', () => {
    const message = {
      event: 'request',
      request: 'r',
      operation: 'create-flow',
      status: 201,
      duration_ms: 8,
      user: 'u',
    };
    expect(lineOf(message)).toBe(`${time}  create-flow               201 8 ms`);
  });

  it('leaves out what was only read, unless that failed', () => {
    const read = { event: 'request', request: 'r', operation: 'list-flows', status: 200, duration_ms: 8 };
    expect(lineOf(read)).toBeUndefined();
    expect(lineOf({ ...read, status: 404 })).toBe(`${time}  list-flows                404 8 ms  request=r`);
  });

  it('says everything about what needs attention', () => {
    const message = { event: 'target.failing', request: 'r', target: 'webhook', count: 3 };
    expect(lineOf(message, 'WARN')).toBe(`${time}  target.failing            WARN  target=webhook count=3 request=r`);
  });

  it('is the line as it is, on one line, if it is no record of the service', () => {
    expect(readableLine('CreateFlow', 'Error: broken\r')).toBe('CreateFlow Error: broken\\u000d');
  });
});
