import { expect, it } from 'vitest';
import { logFaults, worldFaults } from './log-faults.ts';

const line = (level: string, message: object) => `GetFlow ${JSON.stringify({ level, message })}`;

it('errors, crashes and timeouts in the log are faults of the service, and failures of the upstream are not', () => {
  const foreign = [line('INFO', { event: 'request', status: 200 }), line('ERROR', { event: 'request', status: 502 })];
  const faults = [line('ERROR', { event: 'request', status: 500 }), 'GetFlow Task timed out after 3 s'];
  expect(logFaults([...foreign, ...faults])).toEqual(faults);
});

it('errors of the local world are faults unless a request explains them', () => {
  expect(worldFaults([new URIError('malformed'), new TypeError('x is undefined')])).toHaveLength(1);
});
