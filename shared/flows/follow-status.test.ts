import { describe, expect, it, vi } from 'vitest';
import { draft, fakeFlowDependencies, now } from '#support/fakes/fake-flow-context.ts';
import { fakeIngestion } from '#support/fakes/fake-ingestion.ts';
import { changeFlow } from './change-flow.ts';
import type { FlowRecord } from './flow.ts';
import { createFlow } from './flow-creation.ts';
import { followStatus } from './follow-status.ts';
import { reconcileFlow } from './recover-flow.ts';

const published = {
  workspace: draft.workspace,
  type: 'flow.published',
  at: now,
  subject: `${draft.id}:request`,
  data: { flow: draft.id, name: 'Appointments', previous_status: 'DRAFT' },
};

/** A draft that a killed request has published. */
const abandoned: FlowRecord = { ...draft, pending: { lease: 'request', started_at: now, change: 'publish' } };

describe('a Flow that is published here', () => {
  it('a Flow that is published here leads to one event', async () => {
    const { context, announced } = fakeFlowDependencies();
    await changeFlow(draft, { change: 'publish' }, context);
    expect(announced).toEqual([published]);
  });

  it('leads to the same event if the process was killed and another reconciles the change', async () => {
    const reported = { status: 'PUBLISHED' };
    const { context, announced } = fakeFlowDependencies({ flows: [abandoned], reported });
    const later = { ...context, holder: 'another', now: () => now + 90_000 };
    expect((await reconcileFlow(abandoned, later))?.status).toBe('PUBLISHED');
    expect(announced).toEqual([published]);
  });

  it('leads to the same event if the upstream reports it before the change is stored', async () => {
    const { context, announced } = fakeIngestion();
    const flows = { ...context.flows, findByUpstreamId: async () => ({ ...abandoned, wa_id: draft.wa_id }) };
    await followStatus(draft.wa_id, 'PUBLISHED', now + 1_000, { ...context, flows });
    expect(announced).toEqual([published]);
  });

  it('leads to no other event if a report has already changed the stored status', async () => {
    const { context, announced, records } = fakeFlowDependencies();
    const publish = async () => void records.set(draft.id, { ...draft, status: 'PUBLISHED' });
    const upstream = { ...context.upstream, publish };
    await changeFlow(draft, { change: 'publish' }, { ...context, upstream });
    expect(announced).toEqual([]);
  });

  it('stays on record as being changed if the event cannot be queued', async () => {
    const { context, records } = fakeFlowDependencies();
    const announce = () => Promise.reject(new Error('no queue'));
    await expect(changeFlow(draft, { change: 'publish' }, { ...context, announce })).rejects.toThrow('no queue');
    expect(records.get(draft.id)).toMatchObject({ status: 'DRAFT', pending: { change: 'publish' } });
  });
});

describe('an edit that turns a Flow into a draft', () => {
  /** The upstream reports the draft three seconds after it was asked. */
  async function edit(): Promise<FlowRecord> {
    let time = now;
    const published: FlowRecord = { ...draft, status: 'PUBLISHED' };
    const get = async (id: string) => {
      time += 3_000;
      return { id, status: 'DRAFT' };
    };
    const { context, records } = fakeFlowDependencies({ flows: [published], upstream: { get } });
    const { name, categories, endpoint_url, endpoint_encrypted } = draft;
    const metadata = { name, categories, endpoint_url, endpoint_encrypted };
    await changeFlow(published, { change: 'update', metadata }, { ...context, now: () => time });
    return records.get(draft.id) as FlowRecord;
  }

  it.each([
    ['before it is ignored', -1_000, 0],
    ['after it is followed, even if the edit was stored later', 1_000, 1],
  ] as const)('is newer than reports from before it: one from %s', async (_, at, times) => {
    const flow = await edit();
    expect(flow).toMatchObject({ status: 'DRAFT', status_heard_at: now });
    const { context, followed } = fakeIngestion();
    const flows = { ...context.flows, findByUpstreamId: async () => ({ ...flow, wa_id: draft.wa_id }) };
    await followStatus(draft.wa_id, 'PUBLISHED', now + at, { ...context, flows });
    expect(followed).toHaveLength(times);
  });
});

describe('a Flow whose change takes three seconds', () => {
  const { name, categories, endpoint_url, endpoint_encrypted } = draft;
  const metadata = { name, categories, endpoint_url, endpoint_encrypted };

  /** Flow operations with an upstream that takes three seconds to create or publish a Flow. */
  function slowly() {
    let time = now;
    const take = () => {
      time += 3_000;
    };
    const create = async () => {
      take();
      return draft.wa_id;
    };
    const { context } = fakeFlowDependencies({ upstream: { create, publish: async () => take() } });
    return { ...context, now: () => time };
  }

  it.each<[string, () => Promise<FlowRecord | undefined>]>([
    ['published', async () => (await changeFlow(draft, { change: 'publish' }, slowly())).flow],
    ['created', () => createFlow(draft.workspace, metadata, slowly())],
  ])('follows what the upstream reports of it after it was asked, when it is %s', async (_, make) => {
    const flow = (await make()) as FlowRecord;
    expect(flow).toMatchObject({ status_heard_at: now, updated_at: now + 3_000 });
    const { context, announced, followed } = fakeIngestion();
    const flows = { ...context.flows, findByUpstreamId: async () => ({ ...flow, wa_id: draft.wa_id }) };
    const report = (at: number) => followStatus(draft.wa_id, 'BLOCKED', at, { ...context, flows });
    await report(now - 1_000);
    expect({ announced, followed }).toEqual({ announced: [], followed: [] });
    await report(now + 1_000);
    expect(announced.map(({ type }) => type)).toEqual(['flow.blocked']);
    expect(followed).toEqual([{ waId: draft.wa_id, status: 'BLOCKED', at: now + 1_000 }]);
  });
});

describe('a status that the upstream reports', () => {
  const report = async (flow: Partial<FlowRecord>, status: FlowRecord['status'], at = now) => {
    const { context, announced, followed } = fakeIngestion();
    const findByUpstreamId = vi.fn(async () => ({ ...draft, ...flow }) as typeof draft);
    await followStatus(draft.wa_id, status, at, { ...context, flows: { ...context.flows, findByUpstreamId } });
    return { announced: announced.map(({ type, subject }) => ({ type, subject })), followed: followed.length };
  };

  it('causes the same event again when the report is repeated', async () => {
    const event = { type: 'flow.throttled', subject: `${draft.id}:upstream` };
    expect(await report({ status: 'PUBLISHED' }, 'THROTTLED')).toEqual({ announced: [event], followed: 1 });
  });

  it.each<[string, Partial<FlowRecord>, FlowRecord['status']]>([
    ['is known already', { status: 'BLOCKED' }, 'BLOCKED'],
    ['is none that workspaces hear about', { status: 'PUBLISHED' }, 'DEPRECATED'],
  ])('that %s leads to no event', async (_, flow, status) => {
    expect(await report(flow, status)).toEqual({ announced: [], followed: 1 });
  });

  it('that is of another status in the second of an edit is followed', async () => {
    const edited = { status: 'DRAFT', status_heard_at: now, replaced_status: 'PUBLISHED' } as const;
    expect((await report(edited, 'THROTTLED')).followed).toBe(1);
  });

  it.each<[string, Partial<FlowRecord>]>([
    ['is older than what is known', { status: 'PUBLISHED', status_heard_at: now + 1 }],
    [
      'is that before an edit of the same second',
      { status: 'DRAFT', status_heard_at: now, replaced_status: 'THROTTLED' },
    ],
    ['is of a deprecated Flow', { status: 'DEPRECATED' }],
  ])('that %s changes nothing', async (_, flow) => {
    expect(await report(flow, 'THROTTLED')).toEqual({ announced: [], followed: 0 });
  });
});
