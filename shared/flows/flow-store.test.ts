import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { TableClient } from '#shared/aws/table.ts';
import { newId } from '#shared/base/ids.ts';
import { leaseMs } from '#shared/base/time-limits.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { draft, fakeFlowDependencies } from '#support/fakes/fake-flow-context.ts';
import { forAllTests } from '#support/for-tests.ts';
import { type FlowStatus, flowStatuses, isFlowStatus } from './catalogue.ts';
import { changeFlow } from './change-flow.ts';
import type { ChangeIntent, FlowRecord } from './flow.ts';
import type { FlowPageQuery } from './flow-list-store.ts';
import { flowStore, type LeasedFlow } from './flow-store.ts';
import { followStatus } from './follow-status.ts';

const now = Date.UTC(2026, 0, 31);
const later = now + leaseMs;
const publish = { change: 'publish' } as const;

const dynamodb = forAllTests(() => startTestTable());
const flows = forAllTests(() => flowStore(dynamodb.table));

/** A Flow whose creator holds the lease, before the upstream has accepted it. */
function newFlow(members: Partial<FlowRecord> = {}): LeasedFlow {
  const { wa_id: _, ...unborn } = draft;
  return {
    ...unborn,
    id: newId(),
    workspace: newId(),
    created_at: now,
    updated_at: now,
    pending: { lease: 'creator', started_at: now, change: 'create' },
    lease: { holder: 'creator', until: now + leaseMs },
    ...members,
  };
}

/** A Flow that was created and that no request is changing. */
async function kept(members: Partial<FlowRecord> = {}): Promise<FlowRecord> {
  const flow = newFlow(members);
  await flows.insert(flow);
  return flows.save(flow, { wa_id: `wa-${flow.id}`, status: flow.status }, now);
}

const stored = ({ workspace, id }: FlowRecord) => flows.get(workspace, id);

describe('a new Flow', () => {
  it('is read as it was inserted', async () => {
    const flow = newFlow();
    await flows.insert(flow);
    expect(await stored(flow)).toEqual(flow);
  });

  it('does not replace an existing Flow', async () => {
    const flow = await kept();
    await expect(flows.insert(newFlow({ id: flow.id, workspace: flow.workspace }))).rejects.toThrow();
    expect(await stored(flow)).toEqual(flow);
  });

  it('is found by its id alone, in its current state', async () => {
    const flow = await kept();
    expect(await flows.find(flow.id)).toEqual(flow);
    const held = await flows.claim(flow, 'holder', publish, later);
    await flows.save(held, { status: 'PUBLISHED' }, later);
    expect(await flows.find(flow.id)).toMatchObject({ id: flow.id, status: 'PUBLISHED' });
    expect(await flows.find(newId())).toBeUndefined();
  });

  it('was last changed when it was created, however long the upstream takes to accept it', async () => {
    const flow = newFlow({ pending: { lease: 'me', started_at: now, change: 'create' } });
    await flows.insert(flow);
    const saved = await flows.save(flow, { wa_id: `wa-${flow.id}`, status: 'DRAFT' }, now + 60);
    expect(saved.updated_at).toBe(saved.created_at);
    expect(await stored(flow)).toEqual(saved);
  });

  it('is the only Flow with its upstream id: another Flow with the same id is not stored', async () => {
    const [flow, other] = [newFlow(), newFlow()];
    await Promise.all([flows.insert(flow), flows.insert(other)]);
    const waId = `wa-${flow.id}`;
    expect(await flows.isTaken(waId, other.id)).toBe(false);
    await flows.save(flow, { wa_id: waId }, now, true);
    expect(await flows.isTaken(waId, other.id)).toBe(true);
    expect(await flows.isTaken(waId, flow.id)).toBe(false);
    await expect(flows.save(other, { wa_id: waId }, now)).rejects.toMatchObject({ code: 'flow.busy' });
    expect((await stored(other))?.wa_id).toBeUndefined();
    await flows.save(flow, { wa_id: waId }, now);
  });

  it('is found by its name until its creation is known to have ended', async () => {
    const workspace = newId();
    const pending = newFlow({ workspace, name: 'Survey' });
    await flows.insert(pending);
    await flows.insert(newFlow({ workspace, name: 'Another' }));
    await flows.insert(newFlow({ name: 'Survey' }));
    await kept({ workspace, name: 'Survey' });
    expect(await flows.findPendingCreates(workspace, 'Survey')).toEqual([pending]);
  });
});

describe('a claim', () => {
  it('takes the lease and records the intent', async () => {
    const flow = await kept();
    const held = await flows.claim(flow, 'me', publish, now);
    expect(held).toEqual({
      ...flow,
      lease: { holder: 'me', until: now + leaseMs },
      pending: { lease: 'me', started_at: now, change: 'publish' },
    });
    expect(await stored(flow)).toEqual(held);
  });

  it('records no change if no change is intended', async () => {
    expect(await flows.claim(await kept(), 'me', undefined, now)).not.toHaveProperty('pending');
  });

  it('is rejected as busy while another process holds the lease, and says for how long', async () => {
    const flow = await kept();
    const held = await flows.claim(flow, 'other', publish, now);
    await expect(flows.claim(flow, 'me', publish, later - 1_500)).rejects.toMatchObject({
      code: 'flow.busy',
      retryAfterSeconds: 2,
    });
    await expect(flows.claim(flow, 'me', publish, later - 1)).rejects.toMatchObject({ retryAfterSeconds: 1 });
    expect(await stored(flow)).toEqual(held);
  });

  it('succeeds as soon as the lease has expired, and keeps the abandoned change on record', async () => {
    const flow = await kept();
    const { pending } = await flows.claim(flow, 'other', publish, now);
    const held = await flows.claim(flow, 'me', { change: 'delete' }, later);
    expect(held).toMatchObject({ lease: { holder: 'me' }, pending });
  });

  it('is won by one of many concurrent processes', async () => {
    const flow = await kept();
    const claims = Array.from({ length: 8 }, (_, index) => flows.claim(flow, `holder-${index}`, publish, now));
    const results = await Promise.allSettled(claims);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const winner = (await stored(flow))?.lease?.holder;
    expect(results[Number(winner?.split('-')[1])]?.status).toBe('fulfilled');
  });

  it('does not create a Flow that does not exist', async () => {
    const flow = newFlow();
    await expect(flows.claim(flow, 'me', publish, now)).rejects.toMatchObject({ code: 'flow.not-found' });
    expect(await stored(flow)).toBeUndefined();
  });
});

describe('the holder', () => {
  it('saves its changes and releases the lease', async () => {
    const flow = await kept();
    const held = await flows.claim(flow, 'me', publish, now);
    const changes = { status: 'PUBLISHED' as const, version: '7.3', json: { text: '{"a":1}' } };
    const saved = await flows.save(held, changes, now + 5);
    expect(saved).toEqual({ ...flow, ...changes, replaced_status: 'DRAFT', updated_at: now + 5 });
    expect(await stored(flow)).toEqual(saved);
  });

  it('keeps the lease when it saves a change that another process began', async () => {
    const held = await flows.claim(await kept(), 'me', publish, now);
    const saved = await flows.save(held, { status: 'PUBLISHED' }, now, true);
    expect(saved).toMatchObject({ status: 'PUBLISHED', lease: held.lease });
    expect(saved).not.toHaveProperty('pending');
    const intent: ChangeIntent = { change: 'update-json', json: { blob: 'key', bytes: 5 } };
    expect(await flows.intend({ ...saved, lease: held.lease }, intent, now + 1)).toEqual({
      ...saved,
      pending: { lease: 'me', started_at: now + 1, ...intent },
    });
  });

  it('never dates a change before the creation, even if clocks differ', async () => {
    const held = await flows.claim(await kept(), 'me', publish, now - 60_000);
    expect(await flows.save(held, {}, now - 60_000)).toMatchObject({ created_at: now, updated_at: now });
  });

  it('releases a Flow that it did not change', async () => {
    const flow = await kept();
    await flows.claim(flow, 'me', publish, now);
    await flows.release(flow, 'me');
    expect(await stored(flow)).toEqual(flow);
  });

  it('releases a Flow whose outcome it does not know, with its change on record', async () => {
    const flow = await kept();
    const { lease: _, ...suspended } = await flows.claim(flow, 'me', publish, now);
    await flows.suspend({ ...flow, lease: { holder: 'me', until: later } });
    expect(await stored(flow)).toEqual(suspended);
  });

  it('removes the Flow and its entry by upstream id', async () => {
    const flow = await kept();
    await flows.remove(await flows.claim(flow, 'me', { change: 'delete' }, now));
    expect(await stored(flow)).toBeUndefined();
    expect(await flows.isTaken(String(flow.wa_id), newId())).toBe(false);
  });
});

describe('a process that has lost the lease', () => {
  const attempts: [string, (flow: LeasedFlow) => Promise<unknown>][] = [
    ['save', (flow) => flows.save(flow, { status: 'PUBLISHED' }, now)],
    ['remove', (flow) => flows.remove(flow)],
    ['intend', (flow) => flows.intend(flow, publish, now)],
    ['suspend', (flow) => flows.suspend(flow)],
    ['release', (flow) => flows.release(flow, flow.lease.holder)],
  ];

  it.each(attempts)('a process that has lost the lease cannot %s the Flow', async (_, attempt) => {
    const flow = await kept();
    const lost = await flows.claim(flow, 'lost', publish, now);
    const held = await flows.claim(flow, 'me', undefined, later);
    await expect(attempt(lost)).rejects.toThrow();
    expect(await stored(flow)).toEqual(held);
  });

  it.each(attempts)('cannot %s a Flow that was deleted', async (_, attempt) => {
    const flow = await kept();
    const lost = await flows.claim(flow, 'lost', publish, now);
    await flows.remove(await flows.claim(flow, 'me', undefined, later));
    await expect(attempt(lost)).rejects.toThrow();
    expect(await stored(flow)).toBeUndefined();
  });
});

const heard = async (flow: FlowRecord) => (await stored(flow))?.status;

async function follow(flow: FlowRecord, status: FlowStatus, at: number): Promise<void> {
  const found = await flows.findByUpstreamId(String(flow.wa_id));
  if (found) await flows.followUpstreamStatus(found, status, at);
}

/** The statuses in whose lists the Flow is. */
async function listedAs({ workspace, id }: FlowRecord): Promise<string[]> {
  const statuses = Object.keys(flowStatuses).filter(isFlowStatus);
  const lists = statuses.map((status) => Array.fromAsync(flows.list({ workspace, status })));
  const found = await Promise.all(lists);
  return statuses.filter((_, index) => found[index]?.some((flow) => flow.id === id));
}

describe('a status that the upstream reports', () => {
  it('is applied unless a later status is already known', async () => {
    const flow = await kept({ status: 'PUBLISHED' });
    await follow(flow, 'THROTTLED', now + 2_000);
    expect(await heard(flow)).toBe('THROTTLED');
    await follow(flow, 'PUBLISHED', now + 1_000);
    expect(await heard(flow)).toBe('THROTTLED');
    await follow(flow, 'PUBLISHED', now + 2_000);
    expect(await heard(flow)).toBe('PUBLISHED');
  });

  it('is not applied if it is that before an edit of the same second, whose report comes later', async () => {
    const flow = await kept({ status: 'PUBLISHED' });
    const edit = await flows.claim(flow, 'me', publish, now);
    const edited = await flows.save(edit, { status: 'DRAFT', status_heard_at: now + 1_400 }, now + 2_600);
    expect(edited).toEqual(await stored(flow));
    for (const at of [now, now + 1_000]) await follow(flow, 'PUBLISHED', at);
    expect(await heard(flow)).toBe('DRAFT');

    const again = await flows.claim(edited, 'me', publish, now + 2_700);
    await flows.save(again, { status: 'DRAFT', status_heard_at: now + 1_900 }, now + 2_800);
    await follow(flow, 'PUBLISHED', now + 1_000);
    expect(await heard(flow)).toBe('DRAFT');
  });

  it.each([
    ['of the second after an edit read the status, even if the edit is stored later', 'PUBLISHED', 2_000],
    ['of another status in the second of an edit', 'THROTTLED', 1_000],
  ] as const)('is applied if it is %s', async (_, status, at) => {
    const flow = await kept({ status: 'PUBLISHED' });
    const edit = await flows.claim(flow, 'me', publish, now);
    await flows.save(edit, { status: 'DRAFT', status_heard_at: now + 1_400 }, now + 2_600);
    await follow(flow, status, now + at);
    expect(await stored(flow)).toMatchObject({ status, status_heard_at: now + at });
    expect(await stored(flow)).not.toHaveProperty('replaced_status');
    await follow(flow, 'PUBLISHED', now + at);
    expect(await heard(flow)).toBe('PUBLISHED');
  });

  it.each([1_000, 2_400])(
    'that comes during an edit that reads another status %i ms later is not applied again',
    async (readAt) => {
      const flow = await kept({ status: 'DRAFT' });
      const edit = await flows.claim(flow, 'me', publish, now);
      await follow(flow, 'PUBLISHED', now + 1_000);
      await flows.save(edit, { status: 'DRAFT', status_heard_at: now + readAt }, now + 2_600);
      await follow(flow, 'PUBLISHED', now + 1_000);
      expect(await heard(flow)).toBe('DRAFT');
    },
  );

  it('does not reactivate a deprecated Flow, because such a report can only be late', async () => {
    const flow = await kept({ status: 'DEPRECATED' });
    await follow(flow, 'THROTTLED', now + 60_000);
    expect(await heard(flow)).toBe('DEPRECATED');
  });
});

/** A report of the upstream: a status, and its time in seconds after the claim. */
type Report = [status: FlowStatus, second: number];

describe('a status that a change read in second 2, saved after reports of', () => {
  const readAt = now + 2_400;

  it.each<[Report[], read: FlowStatus, expected: Report]>([
    [[['THROTTLED', 1]], 'PUBLISHED', ['PUBLISHED', 2]],
    [[['THROTTLED', 2]], 'PUBLISHED', ['PUBLISHED', 2]],
    [[['THROTTLED', 3]], 'PUBLISHED', ['THROTTLED', 3]],
    [[['THROTTLED', 3]], 'DRAFT', ['THROTTLED', 3]],
    [[['PUBLISHED', 3]], 'DRAFT', ['PUBLISHED', 3]],
    [[['PUBLISHED', 3]], 'PUBLISHED', ['PUBLISHED', 3]],
    [
      [
        ['THROTTLED', 1],
        ['PUBLISHED', 2],
      ],
      'DRAFT',
      ['DRAFT', 2],
    ],
    [
      [
        ['THROTTLED', 3],
        ['PUBLISHED', 4],
      ],
      'PUBLISHED',
      ['PUBLISHED', 4],
    ],
    [
      [
        ['THROTTLED', 3],
        ['PUBLISHED', 4],
      ],
      'DRAFT',
      ['PUBLISHED', 4],
    ],
    [[['DEPRECATED', 2]], 'PUBLISHED', ['DEPRECATED', 2]],
    [[['THROTTLED', 3]], 'DEPRECATED', ['DEPRECATED', 3]],
  ])('%j: when it is %s, the Flow is %j, and repeated reports change nothing', async (reports, read, expected) => {
    const flow = await kept({ status: 'PUBLISHED' });
    const held = await flows.claim(flow, 'me', publish, now);
    for (const [status, second] of reports) await follow(flow, status, now + second * 1_000);
    const saved = await flows.save(held, { status: read, status_heard_at: readAt, version: '7.3' }, now + 5_000);

    const [status, second] = expected;
    const { replaced_status: _, ...rest } = saved;
    const heard = { status, status_heard_at: now + second * 1_000 };
    expect(rest).toEqual({ ...flow, ...heard, version: '7.3', updated_at: now + 5_000 });
    expect(saved).toEqual(await stored(flow));
    expect(await listedAs(flow)).toEqual([status]);

    for (const [each, at] of reports) await follow(flow, each, now + at * 1_000);
    expect(await stored(flow)).toEqual(saved);
  });

  it.each<[Report[], expected: FlowStatus]>([
    [
      [
        ['THROTTLED', 1],
        ['BLOCKED', 2],
      ],
      'DRAFT',
    ],
    [
      [
        ['THROTTLED', 1],
        ['BLOCKED', 3],
      ],
      'BLOCKED',
    ],
  ])('%j, each just before the table is written, is %s then', async (reports, expected) => {
    const flow = await kept({ status: 'PUBLISHED' });
    const held = await flows.claim(flow, 'me', publish, now);
    const left = [...reports];
    const { client, ...table } = dynamodb.table;
    const send = async (command: Parameters<TableClient['send']>[0]) => {
      const [status, second] = (!(command instanceof GetCommand) && left.shift()) || [];
      if (status && second) await follow(flow, status, now + second * 1_000);
      return client.send(command);
    };
    const disturbed = flowStore({ ...table, client: { send } as unknown as TableClient });
    await disturbed.save(held, { status: 'DRAFT', status_heard_at: readAt }, now + 5_000);
    expect(left).toEqual([]);
    expect(await heard(flow)).toBe(expected);
    expect(await listedAs(flow)).toEqual([expected]);
  });

  it('one before every write, gives up as busy', async () => {
    const flow = await kept({ status: 'PUBLISHED' });
    const held = await flows.claim(flow, 'me', publish, now);
    const { client, ...table } = dynamodb.table;
    let reports = 0;
    const send = async (command: Parameters<TableClient['send']>[0]) => {
      if (!(command instanceof GetCommand)) {
        reports++;
        await follow(flow, reports % 2 ? 'THROTTLED' : 'BLOCKED', now + 1_000 + reports);
      }
      return client.send(command);
    };
    const disturbed = flowStore({ ...table, client: { send } as unknown as TableClient });
    const saving = disturbed.save(held, { status: 'DRAFT', status_heard_at: readAt }, now + 5_000);
    await expect(saving).rejects.toMatchObject({ code: 'flow.busy' });
    expect(reports).toBe(5);
  });

  it('another status before the claim, is newer than that, even if the clock of the upstream is ahead', async () => {
    const flow = await kept({ status: 'PUBLISHED' });
    await follow(flow, 'THROTTLED', now + 9_000);
    const held = await flows.claim(flow, 'me', publish, now);
    await flows.save(held, { status: 'DRAFT', status_heard_at: readAt }, now + 5_000);
    await follow(flow, 'THROTTLED', now + 9_000);
    expect(await stored(flow)).toMatchObject({ status: 'DRAFT', status_heard_at: now + 9_000 });
  });
});

describe('the upstream reports another status while', () => {
  /** A change in whose time a second begins with each tick and each report. */
  function changing(stored: FlowRecord) {
    let time = now;
    const tick = () => {
      time += 1_000;
    };
    const { context, announced } = fakeFlowDependencies();
    const announcing = { flows, announce: context.announce };
    const report = async (status: FlowStatus) => {
      tick();
      await followStatus(String(stored.wa_id), status, time, announcing);
    };
    const types = () => announced.map(({ type }) => type);
    return { context: { ...context, flows, now: () => time }, tick, report, types };
  }

  it.each([
    ['before', ['flow.blocked', 'flow.published']],
    ['after', ['flow.published', 'flow.blocked']],
  ] as const)('a Flow is published: it counts, even if it is followed %s the change is saved', async (when, types) => {
    const flow = await kept();
    const change = changing(flow);
    let blocked = async () => {};
    const publishing = async () => {
      if (when === 'before') return change.report('BLOCKED');
      change.tick();
      const at = change.context.now();
      blocked = () => followStatus(String(flow.wa_id), 'BLOCKED', at, change.context);
      change.tick();
    };
    const upstream = { ...change.context.upstream, publish: publishing };
    const { flow: published } = await changeFlow(flow, publish, { ...change.context, upstream });
    expect(published?.status).toBe(when === 'before' ? 'BLOCKED' : 'PUBLISHED');
    await blocked();
    expect(await heard(flow)).toBe('BLOCKED');
    expect(change.types()).toEqual(types);
  });

  it.each<[reports: FlowStatus[], read: FlowStatus, expected: FlowStatus, types: string[]]>([
    [['THROTTLED'], 'PUBLISHED', 'THROTTLED', ['flow.throttled']],
    [['THROTTLED', 'PUBLISHED'], 'PUBLISHED', 'PUBLISHED', ['flow.throttled', 'flow.published']],
    [['PUBLISHED', 'THROTTLED'], 'DRAFT', 'THROTTLED', ['flow.throttled']],
  ])(
    'a published Flow is edited: %j counts, though the upstream said %s before',
    async (reports, read, expected, types) => {
      const flow = await kept({ status: 'PUBLISHED' });
      const change = changing(flow);
      const get = async (id: string) => {
        for (const status of reports) await change.report(status);
        return { id, status: read };
      };
      const upstream = { ...change.context.upstream, get };
      const { name, categories, endpoint_url, endpoint_encrypted } = flow;
      const metadata = { name: `${name} 2`, categories, endpoint_url, endpoint_encrypted };
      const { flow: edited } = await changeFlow(flow, { change: 'update', metadata }, { ...change.context, upstream });
      expect(edited).toMatchObject({ status: expected, name: metadata.name });
      expect(edited).toEqual(await stored(flow));
      expect(change.types()).toEqual(types);
      for (const [index, status] of reports.slice(0, -1).entries()) {
        await followStatus(String(flow.wa_id), status, now + (index + 1) * 1_000, change.context);
      }
      expect(await heard(flow)).toBe(expected);
      expect(change.types()).toEqual(types);
    },
  );

  it('a draft is edited that turns out to be published: no event follows that is older than the status', async () => {
    const flow = await kept();
    const change = changing(flow);
    const get = async (id: string) => {
      await change.report('THROTTLED');
      return { id, status: 'PUBLISHED' };
    };
    const upstream = { ...change.context.upstream, get };
    await changeFlow(flow, { change: 'update-json', text: '{"a":1}' }, { ...change.context, upstream });
    expect(await heard(flow)).toBe('THROTTLED');
    expect(change.types()).toEqual(['flow.throttled']);
  });
});

describe('the list', () => {
  const names = async (query: FlowPageQuery) => (await Array.fromAsync(flows.list(query))).map(({ name }) => name);

  async function keptInOrder(workspace: string, members: Partial<FlowRecord>[]): Promise<FlowRecord[]> {
    const records: FlowRecord[] = [];
    for (const [index, each] of members.entries()) {
      records.push(await kept({ workspace, name: String(index), ...each }));
    }
    return records;
  }

  it('holds the Flows of one workspace and nothing else, newest first', async () => {
    const workspace = newId();
    await keptInOrder(workspace, [{}, {}, {}]);
    await kept({ name: 'of another workspace' });
    expect(await names({ workspace })).toEqual(['2', '1', '0']);
    expect(await names({ workspace: newId() })).toEqual([]);
  });

  it('continues after a given Flow in either direction, without that Flow', async () => {
    const workspace = newId();
    const records = await keptInOrder(workspace, [{}, {}, {}, {}, {}]);
    const from = (index: number, towards: 'older' | 'newer') => ({ flow: String(records[index]?.id), towards });
    expect(await names({ workspace, from: from(2, 'older') })).toEqual(['1', '0']);
    expect(await names({ workspace, from: from(2, 'newer') })).toEqual(['3', '4']);
    expect(await names({ workspace, from: from(0, 'older') })).toEqual([]);
    expect(await names({ workspace, from: from(4, 'newer') })).toEqual([]);
  });

  it('contains the Flows of one status, and those whose status is uncertain', async () => {
    const workspace = newId();
    const [, , changing] = await keptInOrder(workspace, [{ status: 'PUBLISHED' }, {}, {}, { status: 'PUBLISHED' }]);
    if (changing) await flows.claim(changing, 'me', publish, now);
    expect(await names({ workspace, status: 'PUBLISHED' })).toEqual(['3', '2', '0']);
    expect(await names({ workspace, status: 'BLOCKED' })).toEqual(['2']);
  });

  it('contains a Flow in the status that it has now, whoever changed it, and never twice', async () => {
    const workspace = newId();
    const flow = await kept({ workspace, name: 'a' });
    const listed = () =>
      Promise.all((['DRAFT', 'PUBLISHED', 'THROTTLED'] as const).map((status) => names({ workspace, status })));
    expect(await listed()).toEqual([['a'], [], []]);

    const held = await flows.claim(flow, 'me', publish, now);
    expect(await listed()).toEqual([['a'], ['a'], ['a']]);
    const published = await flows.save(held, { status: 'PUBLISHED' }, now);
    expect(published).toEqual(await stored(flow));
    expect(await listed()).toEqual([[], ['a'], []]);

    const late = await flows.claim(published, 'me', undefined, now);
    await flows.followUpstreamStatus({ ...flow, wa_id: String(flow.wa_id) }, 'THROTTLED', now + 1_000);
    expect(await listed()).toEqual([[], [], ['a']]);
    await flows.save(late, { status: 'PUBLISHED' }, now + 2_000);
    expect(await listed()).toEqual([[], ['a'], []]);
    expect(await stored(flow)).toMatchObject({ status: 'PUBLISHED' });

    await flows.remove(await flows.claim(published, 'me', { change: 'delete' }, now));
    expect(await listed()).toEqual([[], [], []]);
  });

  it('of a status continues after a given Flow in either direction, without that Flow', async () => {
    const workspace = newId();
    const status = 'PUBLISHED';
    const records = await keptInOrder(workspace, [{ status }, { status }, {}, { status }, { status }, {}]);
    const from = (index: number, towards: 'older' | 'newer') => ({ flow: String(records[index]?.id), towards });
    for (const index of [2, 3]) if (records[index]) await flows.claim(records[index], 'me', publish, now);
    expect(await names({ workspace, status })).toEqual(['4', '3', '2', '1', '0']);
    for (const expected of [1, 2, 100, undefined]) {
      expect(await names({ workspace, status, from: from(3, 'older'), expected })).toEqual(['2', '1', '0']);
      expect(await names({ workspace, status, from: from(1, 'newer'), expected })).toEqual(['2', '3', '4']);
    }
  });

  it('continues where DynamoDB ends a page at one megabyte, and reads no further than needed', async () => {
    const workspace = newId();
    const json = { text: JSON.stringify('x'.repeat(140_000)) };
    await keptInOrder(workspace, Array(16).fill({ json }));
    expect(await names({ workspace })).toHaveLength(16);
    expect(await names({ workspace, status: 'PUBLISHED' })).toEqual([]);
    const first = await flows.list({ workspace }).next();
    expect(first.value).toMatchObject({ name: '15', json });
  });
});
