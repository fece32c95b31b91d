import { describe, expect, it, vi } from 'vitest';
import { ServiceError } from '#shared/base/service-error.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { draft, fakeFlowDependencies, now } from '#support/fakes/fake-flow-context.ts';
import { changeFlow } from './change-flow.ts';
import type { ChangeIntent, FlowRecord, StoredJson } from './flow.ts';
import type { FlowContext } from './upstream-changes.ts';

const log = captureLog();

const stored = { blob: 'new', bytes: 2 };
const uploadOfText = { change: 'update-json', text: '{"version":"7.0"}' } as const;

/** A context that keeps texts in a bucket, and what was done with them. */
function withBucket(context: FlowContext) {
  const read = vi.fn(async () => 'a text of the bucket');
  const discard = vi.fn(async (_: StoredJson) => {});
  return {
    context: { ...context, flowJson: { ...context.flowJson, keep: async () => stored, read, discard } },
    read,
    discard,
  };
}

/** The draft, with a change that another request has abandoned. */
const abandoned = (intent: ChangeIntent): FlowRecord => ({
  ...draft,
  pending: { lease: 'another', started_at: now - 120_000, ...intent },
});

it.each([
  ['rejects', new UpstreamError('rejected', 'The Flow has errors')],
  ['does not respond to', new UpstreamError('timeout', 'No response')],
])('a change that the upstream %s fails with that error, also if its lease cannot be released', async (_, error) => {
  const { context } = fakeFlowDependencies({ reported: { status: 'DRAFT' } });
  const lost = () => Promise.reject(new Error('There is no table'));
  const failing = {
    ...context,
    flows: { ...context.flows, release: lost, suspend: lost },
    upstream: { ...context.upstream, publish: () => Promise.reject(error) },
  };
  await expect(changeFlow(draft, { change: 'publish' }, failing)).rejects.toBe(error);
  expect(log).toContainEqual(
    expect.objectContaining({ event: 'flow.lease-not-released', error_message: 'There is no table' }),
  );
});

it('a change that may not begin releases the Flow and changes nothing', async () => {
  const publish = vi.fn(async () => {});
  const { context, records } = fakeFlowDependencies({ upstream: { publish } });
  const refuse = () => Promise.reject(new ServiceError('flow.not-found'));
  await expect(changeFlow(draft, { change: 'publish' }, context, refuse)).rejects.toThrow(ServiceError);
  expect(publish).not.toHaveBeenCalled();
  expect(records.get(draft.id)).toEqual(draft);
});

describe('a new Flow JSON', () => {
  it('is uploaded from memory, not read back from the bucket', async () => {
    const uploadJson = vi.fn(async () => []);
    const { context, read } = withBucket(fakeFlowDependencies({ upstream: { uploadJson } }).context);
    await changeFlow(draft, uploadOfText, context);
    expect(uploadJson).toHaveBeenCalledExactlyOnceWith(draft.wa_id, uploadOfText.text);
    expect(read).not.toHaveBeenCalled();
  });

  it.each([
    ['is discarded if another request has the Flow', new ServiceError('flow.busy'), 1],
    ['stays if nobody knows whether the claim was written', new Error('There is no response'), 0],
  ])('%s', async (_, error, discards) => {
    const { context, discard } = withBucket(fakeFlowDependencies().context);
    const busy = { ...context, flows: { ...context.flows, claim: () => Promise.reject(error) } };
    await expect(changeFlow(draft, uploadOfText, busy)).rejects.toBe(error);
    expect(discard).toHaveBeenCalledTimes(discards);
  });
});

describe('after a change that was abandoned', () => {
  const retryOf = async (flow: FlowRecord, change: 'publish' | 'delete' | 'update', options = {}) => {
    const called: string[] = [];
    const note = (name: string) => async () => void called.push(name);
    const { context, records } = fakeFlowDependencies({
      flows: [flow],
      upstream: { publish: note('publish'), delete: note('delete'), update: note('update') },
      ...options,
    });
    const metadata = { name: 'Renamed', categories: [8 as const] };
    await changeFlow(flow, change === 'update' ? { change, metadata } : { change }, context);
    return { called, flow: records.get(flow.id) };
  };

  it('a publish that the upstream has made is not made again', async () => {
    const { called, flow } = await retryOf(abandoned({ change: 'publish' }), 'publish', {
      reported: { status: 'PUBLISHED' },
    });
    expect(called).toEqual([]);
    expect(flow).toMatchObject({ status: 'PUBLISHED' });
    expect(flow).not.toHaveProperty('pending');
  });

  it('an update is made again, because it may differ', async () => {
    const earlier = { name: 'Renamed', categories: [8 as const] };
    const reported = { status: 'DRAFT', name: 'Renamed', categories: ['OTHER'] };
    const { called } = await retryOf(abandoned({ change: 'update', metadata: earlier }), 'update', { reported });
    expect(called).toEqual(['update']);
  });

  it('another change is made after it', async () => {
    const metadata = { name: 'Renamed', categories: [8 as const] };
    const reported = { status: 'DRAFT', name: 'Renamed', categories: ['OTHER'] };
    const { called } = await retryOf(abandoned({ change: 'update', metadata }), 'publish', { reported });
    expect(called).toEqual(['publish']);
  });

  it.each([
    ['is discarded if the upstream does not have it', 'an earlier text', 1],
    ['stays if the upstream has it', 'a text of the bucket', 0],
  ])('its Flow JSON %s', async (_, there, discards) => {
    const flow = abandoned({ change: 'update-json', json: stored });
    const upstream = { downloadJson: async () => JSON.stringify(there) };
    const { context, discard } = withBucket(fakeFlowDependencies({ flows: [flow], upstream }).context);
    const read = async () => JSON.stringify('a text of the bucket');
    await changeFlow(flow, { change: 'publish' }, { ...context, flowJson: { ...context.flowJson, read } });
    const ofText = discard.mock.calls.filter(([json]) => json === stored);
    expect(ofText).toHaveLength(discards);
  });
});
