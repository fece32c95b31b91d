import { describe, expect, it } from 'vitest';
import { check, differences, type Findings } from './checks.ts';
import type { Sample } from './samples.ts';

const address = { number: 'n', target: 'webhook', item: 'wamid.1' } as const;
const flow = { waId: '1', name: 'One', status: 'DRAFT' };
const sample: Sample = {
  worldMb: 200,
  engineMb: 20,
  largestFunctionMb: 90,
  functionProcesses: 10,
  files: 20,
  otherMb: 5,
  tableMb: 10,
};

const healthy: Findings = {
  account: {
    expected: 10,
    arrived: 10,
    missing: [],
    unknown: [],
    badlySigned: [],
    explainedRepeats: 2,
    unexplainedRepeats: [],
  },
  flowsHere: [flow],
  flowsUpstream: [flow],
  states: { delivered: 9, discarded: 1 },
  openBreakers: 0,
  queue: 0,
  deadLetters: 0,
  unexplainedErrorLines: [],
  unexplainedFailures: [],
  samples: Array(30).fill(sample),
};

const broken = (findings: Partial<Findings>) =>
  check({ ...healthy, ...findings })
    .filter(({ kept }) => !kept)
    .map(({ what }) => what);

const withAccount = (members: Partial<Findings['account']>) => broken({ account: { ...healthy.account, ...members } });

const growing = (member: keyof Sample, by: number) =>
  healthy.samples.map((one, index) => ({ ...one, [member]: one[member] + index * by }));

it('a healthy run keeps every check', () => {
  expect(broken({})).toEqual([]);
});

describe('a check fails for', () => {
  it.each([
    ['a lost notification', withAccount({ missing: [address] })],
    ['an invented notification', withAccount({ unknown: [address] })],
    ['a wrong signature', withAccount({ badlySigned: [address] })],
    ['a repeat without a reason', withAccount({ unexplainedRepeats: [{ ...address, arrivals: [] }] })],
    ['a delivery that is stuck', broken({ states: { delivered: 9, sending: 1 } })],
    ['a delivery that ran out of attempts', broken({ states: { delivered: 9, exhausted: 1 } })],
    ['an open circuit breaker', broken({ openBreakers: 1 })],
    ['a message in the queue', broken({ queue: 1 })],
    ['a dead letter', broken({ deadLetters: 1 })],
    ['a Flow that only the upstream has', broken({ flowsHere: [] })],
    ['a Flow that only the service has', broken({ flowsUpstream: [] })],
    ['an error line', broken({ unexplainedErrorLines: ['ERROR'] })],
    ['a failed request', broken({ unexplainedFailures: ['GET /: 500'] })],
    ['memory that grows without end', broken({ samples: growing('worldMb', 20) })],
    ['files that become more and more', broken({ samples: growing('files', 10) })],
  ])('%s', (_, failed) => {
    expect(failed).toHaveLength(1);
  });

  it('no memory that only warms up', () => {
    const warming = healthy.samples.map((one, index) => ({ ...one, worldMb: index < 10 ? 100 + index * 10 : 200 }));
    expect(broken({ samples: warming })).toEqual([]);
  });

  it('nothing that too few samples show', () => {
    expect(broken({ samples: growing('worldMb', 100).slice(0, 5) })).toEqual([]);
  });
});

it('the same Flow in two states is a difference on both sides', () => {
  expect(differences([flow], [{ ...flow, status: 'PUBLISHED' }])).toEqual([
    'only here: 1 DRAFT One',
    'only upstream: 1 PUBLISHED One',
  ]);
});
