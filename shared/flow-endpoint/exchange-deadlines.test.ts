import { describe, expect, it } from 'vitest';
import { exchangeDeadlines } from './exchange-deadlines.ts';

describe('the deadlines of an exchange', () => {
  const received = 1_000_000;

  it('are counted from the arrival of the request, and leave time for the steps after each', () => {
    const { endpointBy, relayBy, respondBy } = exchangeDeadlines(received, received + 4_000);
    expect(endpointBy).toBeLessThan(relayBy);
    expect(relayBy).toBeLessThan(respondBy);
    expect(respondBy).toBeLessThan(received + 10_000);
    expect(exchangeDeadlines(received, received)).toEqual({ endpointBy, relayBy, respondBy });
  });

  it.each([
    ['ten seconds ago', received - 10_000],
    ['a day ago', received - 86_400_000],
    ['in the future', received + 1],
    ['no time', Number.NaN],
  ])('are counted from now if the arrival time is implausible: %s', (_, arrival) => {
    expect(exchangeDeadlines(arrival, received)).toEqual(exchangeDeadlines(received, received));
  });
});
