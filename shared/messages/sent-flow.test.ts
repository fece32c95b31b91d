import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newSentFlow } from '#support/fakes/fake-sent-flows.ts';
import { funnelOf, progressOf, type SentFlow, type Step, stages } from './sent-flow.ts';

const ids = { flow: 'flow', workspace: 'workspace' };
const { message: _, ...unsent } = newSentFlow(ids).sent;
const prepared: SentFlow = { ...unsent, stage: 'prepared' };

describe('progressOf', () => {
  it('counts a message when the upstream has accepted it, and stores its id', () => {
    expect(progressOf(prepared, { stage: 'sent', message: 'wamid.1' })).toEqual({
      record: { stage: 'sent', message: 'wamid.1' },
      counts: { stages: ['sent'], screens: {} },
    });
  });

  it('counts every stage that a later one implies', () => {
    expect(progressOf(prepared, { stage: 'completed' })?.counts.stages).toEqual(['sent', 'opened', 'completed']);
  });

  it('moves the contact from screen to screen, and from the last one when the Flow is completed', () => {
    const opened = { ...newSentFlow(ids).sent, stage: 'opened', screen: 'DATE' } as const;
    expect(progressOf(opened, { stage: 'opened', screen: 'TIME' })?.counts).toEqual({
      stages: [],
      screens: { DATE: -1, TIME: 1 },
    });
    expect(progressOf(opened, { stage: 'completed' })).toEqual({
      record: { stage: 'completed', message: 'wamid.SENT' },
      counts: { stages: ['completed'], screens: { DATE: -1 } },
    });
  });

  it.each<[string, SentFlow['stage'], Step]>([
    ['the same screen again', 'opened', { stage: 'opened', screen: 'DATE' }],
    ['an exchange on no known screen', 'opened', { stage: 'opened' }],
    ['a screen after the end', 'completed', { stage: 'opened', screen: 'DATE' }],
    ['the same message again', 'opened', { stage: 'sent', message: 'wamid.SENT' }],
  ])('progressOf changes nothing for %s', (_, stage, step) => {
    const sent = { ...newSentFlow(ids).sent, stage, ...(stage === 'opened' && { screen: 'DATE' }) };
    expect(progressOf(sent, step)).toBeUndefined();
  });

  it('stores the id of a message that was opened before its response arrived', () => {
    const opened: SentFlow = { ...prepared, stage: 'opened', screen: 'DATE' };
    expect(progressOf(opened, { stage: 'sent', message: 'wamid.1' })).toEqual({
      record: { stage: 'opened', message: 'wamid.1', screen: 'DATE' },
      counts: { stages: [], screens: {} },
    });
  });

  it('counts nothing for a draft', () => {
    expect(progressOf({ ...prepared, draft: true }, { stage: 'completed' })).toEqual({
      record: { stage: 'completed' },
      counts: { stages: [], screens: {} },
    });
  });

  const step = fc.record<Step>(
    {
      stage: fc.constantFrom('sent', 'opened', 'completed'),
      message: fc.constant('wamid.1'),
      screen: fc.constantFrom('A', 'B', '__proto__'),
    },
    { requiredKeys: ['stage'] },
  );

  interface Run {
    sent: SentFlow;
    counts: Record<string, number>;
  }

  function take({ sent, counts }: Run, one: Step): Run {
    const progress = progressOf(sent, one);
    if (!progress) return { sent, counts };
    const { message: _, screen: __, ...rest } = sent;
    const added = [
      ...progress.counts.stages.map((stage) => [stage, 1] as const),
      ...Object.entries(progress.counts.screens).map(([screen, amount]) => [`on ${screen}`, amount] as const),
    ];
    const total = Object.fromEntries(added.map(([name, amount]) => [name, (counts[name] ?? 0) + amount]));
    return { sent: { ...rest, ...progress.record }, counts: { ...counts, ...total } };
  }

  it('counts each stage once and each contact on one screen at most, whatever the steps and their order', () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const { sent, counts } = steps.reduce(take, { sent: prepared, counts: {} });
        const reached = stages.slice(1, stages.indexOf(sent.stage) + 1).map((stage) => [stage, 1]);
        const seen = sent.screen === undefined ? [] : [[`on ${sent.screen}`, 1]];
        const positive = Object.entries(counts).filter(([, amount]) => amount !== 0);
        expect(Object.fromEntries(positive)).toEqual(Object.fromEntries([...reached, ...seen]));
      }),
    );
  });
});

const counts = {
  sent: 9,
  opened: 7,
  completed: 2,
  screens: new Map([
    ['TIME', 1],
    ['NAME', 3],
    ['DATE', 1],
  ]),
};

describe('a funnel', () => {
  it('shows the screens on which most contacts stopped first', () => {
    expect(funnelOf({ endpoint_url: 'https://example.com', endpoint_encrypted: false }, counts)).toEqual({
      sent: 9,
      opened: 7,
      completed: 2,
      screens: [
        { screen: 'NAME', stopped: 3 },
        { screen: 'DATE', stopped: 1 },
        { screen: 'TIME', stopped: 1 },
      ],
    });
  });

  it.each([
    ['has no endpoint', { endpoint_url: null, endpoint_encrypted: true }],
    ['has an endpoint that holds the key', { endpoint_url: 'https://example.com', endpoint_encrypted: true }],
  ])('does not know who opened a Flow that %s', (_, flow) => {
    expect(funnelOf(flow, counts)).toEqual({ sent: 9, opened: null, completed: 2, screens: null });
  });
});
