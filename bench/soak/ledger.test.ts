import { describe, expect, it } from 'vitest';
import { type Arrival, createLedger } from './ledger.ts';

const address = { number: 'n', target: 'webhook', item: 'wamid.1' } as const;
const calm = { killedBetween: () => false };
const killed = { killedBetween: () => true };

const arrival = (members: Partial<Arrival> = {}): Arrival => ({
  ...address,
  at: 1,
  received: true,
  signed: true,
  ...members,
});

/** Creates a ledger in which the service owes one notification. */
function owing() {
  const ledger = createLedger();
  ledger.offer([address]);
  ledger.acknowledge([address]);
  return ledger;
}

describe('what was acknowledged', () => {
  it('is missing until it arrives', () => {
    const ledger = owing();
    expect(ledger.account(calm)).toMatchObject({ expected: 1, arrived: 0, missing: [address] });
    ledger.arrive(arrival());
    expect(ledger.account(calm)).toMatchObject({ expected: 1, arrived: 1, missing: [], unknown: [] });
  });

  it('is owed to each target', () => {
    const ledger = owing();
    ledger.arrive(arrival({ target: 'secondary_webhook' }));
    expect(ledger.missing()).toEqual([address]);
  });

  it('is no longer owed when its URL was removed, unless it came after that', () => {
    const ledger = owing();
    ledger.remove('n', 'webhook');
    expect(ledger.missing()).toEqual([]);
    const later = { ...address, item: 'wamid.2' };
    ledger.acknowledge([later]);
    expect(ledger.missing()).toEqual([later]);
  });
});

describe('what arrives', () => {
  it('without an event is unknown', () => {
    const ledger = createLedger();
    ledger.arrive(arrival());
    expect(ledger.account(calm).unknown).toEqual([address]);
  });

  it('of an event that was not acknowledged is neither owed nor unknown', () => {
    const ledger = createLedger();
    ledger.offer([address]);
    ledger.arrive(arrival());
    expect(ledger.account(calm)).toMatchObject({ expected: 0, missing: [], unknown: [] });
  });

  it('with a wrong signature is reported', () => {
    const ledger = owing();
    ledger.arrive(arrival({ signed: false }));
    expect(ledger.account(calm).badlySigned).toEqual([address]);
  });
});

describe('a repeat', () => {
  it('after a failed attempt does not count', () => {
    const ledger = owing();
    ledger.arrive(arrival({ received: false }));
    ledger.arrive(arrival({ at: 2 }));
    expect(ledger.account(calm)).toMatchObject({ explainedRepeats: 0, unexplainedRepeats: [] });
  });

  it('is explained by a kill', () => {
    const ledger = owing();
    ledger.arrive(arrival());
    ledger.arrive(arrival({ at: 2 }));
    expect(ledger.account(calm)).toMatchObject({ explainedRepeats: 0, unexplainedRepeats: [address] });
    expect(ledger.account(killed)).toMatchObject({ explainedRepeats: 1, unexplainedRepeats: [] });
  });

  it('is explained by a replay whose connection the receiver closed, so that it was sent again at once', () => {
    const ledger = owing();
    ledger.replay(address);
    ledger.arrive(arrival());
    ledger.arrive(arrival({ at: 5_000, received: false }));
    ledger.arrive(arrival({ at: 5_002 }));
    expect(ledger.account(calm)).toMatchObject({ explainedRepeats: 2, unexplainedRepeats: [] });
    ledger.arrive(arrival({ at: 5_500 }));
    expect(ledger.account(calm)).toMatchObject({ explainedRepeats: 2, unexplainedRepeats: [address] });
  });

  it('is explained by a replay; each replay explains one', () => {
    const ledger = owing();
    ledger.replay(address);
    for (const at of [1, 2, 3]) ledger.arrive(arrival({ at }));
    expect(ledger.account(calm)).toMatchObject({ explainedRepeats: 1, unexplainedRepeats: [address] });
  });
});
