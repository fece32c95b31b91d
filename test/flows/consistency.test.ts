import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { changeFlow } from '#shared/flows/change-flow.ts';
import type { FlowChange, FlowRecord, LiveFlow, StoredJson } from '#shared/flows/flow.ts';
import { createFlow } from '#shared/flows/flow-creation.ts';
import type { FlowStore } from '#shared/flows/flow-store.ts';
import { reconcileFlow } from '#shared/flows/recover-flow.ts';
import { firstRun, type Run } from '#shared/idempotency/run-keyed.ts';
import { forAllTests } from '#support/for-tests.ts';
import { metadata, patientMs, publishableJson, startFlowWorld } from '../../support/flows/flow-world.ts';

/** Longer than every lease, and longer than a request without a response may take to reach the upstream. */
const muchLater = 120_000;

const renamed = { ...metadata, name: 'Renamed', categories: [8 as const] };

const world = forAllTests(() => startFlowWorld());

/** Every test works in a workspace of its own; the upstream account is shared, so names are made unique. */
let workspace: string;
let name: string;
beforeEach(() => {
  workspace = newId();
  name = `Flow ${workspace}`;
  world.clock.ahead = 0;
  world.patience.timeoutMs = patientMs;
});

const create = (context = world.context()) => createFlow(workspace, { ...metadata, name }, context);
const stored = (flow: FlowRecord) => world.context().flows.get(flow.workspace, flow.id);
const reconciled = async (flow: FlowRecord) => reconcileFlow((await stored(flow)) ?? flow, world.context());

async function listed(): Promise<FlowRecord[]> {
  const flows: FlowRecord[] = [];
  for await (const flow of world.context().flows.list({ workspace })) {
    const current = await reconcileFlow(flow, world.context());
    if (current?.wa_id) flows.push(current);
  }
  return flows;
}

async function upstreamNamed(wanted: string) {
  return (await world.upstreamFlows()).filter((flow) => flow.name === wanted);
}

/** Both sides hold the same Flow: name, status, endpoint and content, and nothing is left to reconcile. */
async function expectEqualSides(flow: FlowRecord): Promise<void> {
  const here = await stored(flow);
  const there = (await world.upstreamFlows()).find(({ id }) => id === here?.wa_id);
  expect(here?.pending).toBeUndefined();
  expect(here?.lease).toBeUndefined();
  expect({ name: here?.name, status: here?.status }).toEqual({ name: there?.name, status: there?.status });
  const uri = here && here.endpoint_url !== null ? world.context().endpointUri(here.id) : null;
  expect(there?.endpoint_uri).toBe(uri);
  const text = here && (await world.context().flowJson.read(here.json));
  if (text !== '{}') expect(JSON.parse(text ?? '')).toEqual(await world.upstreamJson(String(here?.wa_id)));
}

/** A draft with content that can be published. */
async function publishableFlow(): Promise<LiveFlow> {
  const flow = await create();
  return (await changeFlow(flow, { change: 'update-json', text: publishableJson }, world.context())).flow as LiveFlow;
}

const failingSave: Partial<FlowStore> = {
  save: async () => {
    throw new Error('The table rejects the write');
  },
};

/**
 * A process that is killed right after the upstream has accepted the change: it neither saves nor releases anything.
 */
const killedBeforeSave: Partial<FlowStore> = {
  save: () => new Promise<never>(() => {}),
  remove: () => new Promise<never>(() => {}),
};

/** Starts the change and waits until the upstream has it; the promise itself never ends. */
async function killAfterUpstream(flow: FlowRecord, change: FlowChange, hasHappened: () => Promise<boolean>) {
  void changeFlow(flow, change, world.context({ flows: killedBeforeSave }));
  await expect.poll(hasHappened).toBe(true);
}

describe('create', () => {
  it('stores the Flow that the upstream accepted', async () => {
    const flow = await create();
    expect(flow).toMatchObject({ status: 'DRAFT', version: null, json: { text: '{}' } });
    await expectEqualSides(flow);
  });

  it('succeeds even if the upstream’s response is lost: the Flow is found by its name', async () => {
    await world.fault({ match: { path: 'create_flow' }, fault: { kind: 'accept_then_timeout' } });
    const flow = await create();
    expect(await upstreamNamed(name)).toHaveLength(1);
    await expectEqualSides(flow);
  });

  it('leaves nothing behind if the upstream rejects it', async () => {
    await world.fault({
      match: { path: 'create_flow' },
      fault: { kind: 'error', status: 400, error: { message: 'No', code: 100 } },
    });
    await expect(create()).rejects.toMatchObject({ failure: 'rejected', message: 'No' });
    expect(await listed()).toEqual([]);
    expect((await Array.fromAsync(world.context().flows.list({ workspace }))).length).toBe(0);
  });

  it('can be repeated at once if it never reached the upstream', async () => {
    await world.fault({ match: { path: 'create_flow' }, fault: { kind: 'timeout' } });
    await expect(create()).rejects.toMatchObject({ failure: 'timeout' });
    await expectEqualSides(await create());
    world.clock.ahead = muchLater;
    expect(await listed()).toHaveLength(1);
    expect(await Array.fromAsync(world.context().flows.list({ workspace }))).toHaveLength(1);
    expect(await upstreamNamed(name)).toHaveLength(1);
  });

  describe.each([
    ['the store rejects', failingSave],
    ['the process is killed', killedBeforeSave],
  ])('when the upstream accepted and %s', (_, flows) => {
    beforeEach(async () => {
      void create(world.context({ flows })).catch(() => {});
      await expect.poll(async () => (await upstreamNamed(name)).length).toBe(1);
      world.clock.ahead = muchLater;
    });

    it('a retry adopts the Flow', async () => {
      const flow = await create();
      expect(await upstreamNamed(name)).toHaveLength(1);
      expect(await listed()).toHaveLength(1);
      await expectEqualSides(flow);
    });

    it('a retry with other categories stores them on both sides', async () => {
      const flow = await createFlow(workspace, { ...renamed, name }, world.context());
      expect((await upstreamNamed(name))[0]?.categories).toEqual(['OTHER']);
      expect(flow.categories).toEqual([8]);
      await expectEqualSides(flow);
    });

    it('a retry with an endpoint sets it on both sides', async () => {
      await expectEqualSides(await createFlow(workspace, { ...metadata, name, ...endpoint }, world.context()));
    });

    it('the next list contains the Flow', async () => {
      const [flow, ...others] = await listed();
      expect(others).toEqual([]);
      expect(flow?.name).toBe(name);
      if (flow) await expectEqualSides(flow);
    });
  });

  describe('that another run for the same Idempotency-Key', () => {
    const again = (run: Run) =>
      createFlow(workspace, { ...metadata, name }, world.context(), { id: newId(), earlier: [run.id] });

    it('finished, is found by its run', async () => {
      const run = firstRun();
      const flow = await createFlow(workspace, { ...metadata, name }, world.context(), run);
      expect(flow.id).toBe(run.id);
      expect((await again(run)).id).toBe(flow.id);
      expect(await listed()).toHaveLength(1);
    });

    it('did not finish, is adopted', async () => {
      const run = firstRun();
      void createFlow(workspace, { ...metadata, name }, world.context({ flows: killedBeforeSave }), run);
      await expect.poll(async () => (await upstreamNamed(name)).length).toBe(1);
      world.clock.ahead = muchLater;
      const flow = await again(run);
      expect(flow.id).toBe(run.id);
      expect(await upstreamNamed(name)).toHaveLength(1);
      await expectEqualSides(flow);
    });

    it('did not begin, is made', async () => {
      const flow = await again(firstRun());
      expect(await upstreamNamed(name)).toHaveLength(1);
      await expectEqualSides(flow);
    });
  });

  it('of a name that is being created is busy, not rejected', async () => {
    void create(world.context({ flows: killedBeforeSave }));
    await expect.poll(async () => (await upstreamNamed(name)).length).toBe(1);
    await expect(create()).rejects.toMatchObject({ code: 'flow.busy' });
    expect(await upstreamNamed(name)).toHaveLength(1);
  });

  it('of an existing name is rejected and leaves one Flow', async () => {
    await create();
    await expect(create()).rejects.toMatchObject({ failure: 'rejected', code: 100 });
    expect(await listed()).toHaveLength(1);
  });

  it('ten times at once creates one Flow', async () => {
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => create()));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await upstreamNamed(name)).toHaveLength(1);
    expect(await listed()).toHaveLength(1);
  });
});

interface Case {
  title: string;
  operation: string;
  prepare: () => Promise<LiveFlow>;
  change: () => FlowChange;
  /** Whether the upstream has made the change. */
  isMade: (flow: LiveFlow) => Promise<boolean>;
}

const upstreamState = async (flow: LiveFlow) => (await world.upstreamFlows()).find(({ id }) => id === flow.wa_id);

const endpoint = { endpoint_url: 'https://example.com/flow', endpoint_encrypted: true };
const hasEndpoint = async (flow: LiveFlow) => typeof (await upstreamState(flow))?.endpoint_uri === 'string';

const cases: Case[] = [
  {
    title: 'update that only sets the endpoint',
    operation: 'update_flow',
    prepare: () => create(),
    change: () => ({ change: 'update', metadata: { ...metadata, name, ...endpoint } }),
    isMade: hasEndpoint,
  },
  {
    title: 'update that only removes the endpoint',
    operation: 'update_flow',
    prepare: () => createFlow(workspace, { ...metadata, name, ...endpoint }, world.context()),
    change: () => ({ change: 'update', metadata: { ...metadata, name, endpoint_url: null } }),
    isMade: async (flow) => !(await hasEndpoint(flow)),
  },
  {
    title: 'update',
    operation: 'update_flow',
    prepare: () => create(),
    change: () => ({ change: 'update', metadata: { ...renamed, name: `${name} renamed` } }),
    isMade: async (flow) => (await upstreamState(flow))?.name === `${name} renamed`,
  },
  {
    title: 'update-json',
    operation: 'update_flow_json',
    prepare: () => create(),
    change: () => ({ change: 'update-json', text: publishableJson }),
    isMade: async (flow) => (await upstreamState(flow))?.flow_json === publishableJson,
  },
  {
    title: 'publish',
    operation: 'publish_flow',
    prepare: publishableFlow,
    change: () => ({ change: 'publish' }),
    isMade: async (flow) => (await upstreamState(flow))?.status === 'PUBLISHED',
  },
  {
    title: 'delete of a draft',
    operation: 'delete_flow',
    prepare: () => create(),
    change: () => ({ change: 'delete' }),
    isMade: async (flow) => (await upstreamState(flow)) === undefined,
  },
  {
    title: 'delete of a published Flow',
    operation: 'deprecate_flow',
    prepare: async () =>
      (await changeFlow(await publishableFlow(), { change: 'publish' }, world.context())).flow as LiveFlow,
    change: () => ({ change: 'delete' }),
    isMade: async (flow) => (await upstreamState(flow))?.status === 'DEPRECATED',
  },
];

describe.each(cases)('$title', ({ operation, prepare, change, isMade }) => {
  let flow: LiveFlow;
  beforeEach(async () => {
    flow = await prepare();
  });

  /** After the change, the Flow is gone from both sides, or equal on them. */
  async function expectMade(): Promise<void> {
    expect(await isMade(flow)).toBe(true);
    const here = await stored(flow);
    if (here) await expectEqualSides(flow);
    else expect(await upstreamState(flow)).toBeUndefined();
  }

  async function expectUnchanged(): Promise<void> {
    expect(await isMade(flow)).toBe(false);
    const { name, status, json, endpoint_url } = flow;
    expect(await stored(flow)).toMatchObject({ name, status, json, endpoint_url });
    await expectEqualSides(flow);
  }

  it('changes neither side if the upstream rejects it', async () => {
    await world.fault({
      match: { path: operation },
      fault: { kind: 'error', status: 400, error: { message: 'No', code: 139000 } },
    });
    await expect(changeFlow(flow, change(), world.context())).rejects.toMatchObject({ failure: 'rejected' });
    await expectUnchanged();
  });

  it('changes neither side if the upstream fails', async () => {
    await world.fault({
      match: { path: operation },
      fault: { kind: 'error', status: 500, error: { message: 'Oops', code: 1 } },
    });
    await expect(changeFlow(flow, change(), world.context())).rejects.toMatchObject({ failure: 'unavailable' });
    await expectUnchanged();
  });

  it('succeeds although the response of the upstream is lost', async () => {
    await world.fault({ match: { path: operation }, fault: { kind: 'accept_then_reset' } });
    await changeFlow(flow, change(), world.context());
    await expectMade();
  });

  it('can be repeated at once if the upstream never received it', async () => {
    await world.fault({ match: { path: operation }, fault: { kind: 'timeout' } });
    await expect(changeFlow(flow, change(), world.context())).rejects.toMatchObject({ failure: 'timeout' });
    await changeFlow(flow, change(), world.context());
    await expectMade();
  });

  it('is dropped by a later read if the upstream never received it', async () => {
    await world.fault({ match: { path: operation }, fault: { kind: 'timeout' } });
    await expect(changeFlow(flow, change(), world.context())).rejects.toMatchObject({ failure: 'timeout' });
    world.clock.ahead = muchLater;
    await reconciled(flow);
    await expectUnchanged();
  });

  it('is completed by the next read if the store failed', async () => {
    const rejecting: Partial<FlowStore> = {
      ...failingSave,
      remove: async () => {
        throw new Error('The table rejects the write');
      },
    };
    await expect(changeFlow(flow, change(), world.context({ flows: rejecting }))).rejects.toThrow('rejects');
    await reconciled(flow);
    await expectMade();
  });

  it('is completed by the next read if the process was killed', async () => {
    await killAfterUpstream(flow, change(), () => isMade(flow));
    expect(await reconciled(flow), 'the holder may still live').toBeDefined();
    world.clock.ahead = muchLater;
    await reconciled(flow);
    await expectMade();
  });

  it('is completed by a retry if the process was killed', async () => {
    await killAfterUpstream(flow, change(), () => isMade(flow));
    await expect(changeFlow(flow, change(), world.context()), 'while the holder may live').rejects.toMatchObject({
      code: 'flow.busy',
    });
    world.clock.ahead = muchLater;
    await changeFlow(flow, change(), world.context());
    await expectMade();
  });

  it('is reconciled before another change if the process was killed', async () => {
    await killAfterUpstream(flow, change(), () => isMade(flow));
    world.clock.ahead = muchLater;
    const other: FlowChange = { change: 'update', metadata: { ...metadata, name: `${name} other` } };
    const result = await changeFlow(flow, other, world.context()).catch(
      (error: { code?: string | number }) => error.code ?? error,
    );
    const here = await stored(flow);
    if (here) await expectEqualSides(flow);
    else expect(result).toBe('flow.not-found');
  });
});

describe('concurrent changes', () => {
  const outcomes = async (work: Promise<unknown>[]) =>
    (await Promise.allSettled(work)).map((result) =>
      result.status === 'fulfilled' ? 'done' : (result.reason.code ?? result.reason),
    );

  it('publish a Flow once: the others are busy or find it published', async () => {
    const flow = await publishableFlow();
    const { ServiceError } = await import('#shared/base/service-error.ts');
    const requireDraft = (flow: FlowRecord) => {
      if (flow.status !== 'DRAFT') throw new ServiceError('flow.not-a-draft');
    };
    const results = await outcomes(
      Array.from({ length: 8 }, () => changeFlow(flow, { change: 'publish' }, world.context(), requireDraft)),
    );
    expect(results.filter((result) => result === 'done')).toHaveLength(1);
    expect(results.filter((result) => !['done', 'flow.busy', 'flow.not-a-draft'].includes(result))).toEqual([]);
    await expectEqualSides(flow);
  });

  it('delete a Flow once: the others are busy or find nothing', async () => {
    const flow = await create();
    const results = await outcomes(
      Array.from({ length: 8 }, () => changeFlow(flow, { change: 'delete' }, world.context())),
    );
    expect(results.filter((result) => result === 'done')).toHaveLength(1);
    expect(results.filter((result) => !['done', 'flow.busy', 'flow.not-found'].includes(result))).toEqual([]);
    expect(await stored(flow)).toBeUndefined();
  });

  it('leave both sides equal, whatever is edited at once', async () => {
    const flow = await create();
    const edits = Array.from(
      { length: 10 },
      (_, index): FlowChange =>
        index % 2 === 0
          ? { change: 'update', metadata: { ...metadata, name: `${name} ${index}` } }
          : { change: 'update-json', text: JSON.stringify({ version: '7.3', screens: [], index }) },
    );
    const results = await outcomes(edits.map((edit) => changeFlow(flow, edit, world.context())));
    expect(results).toContain('done');
    await expectEqualSides(flow);
  });
});

describe('a change without a known outcome', () => {
  it('is shown as stored while the upstream is unavailable', async () => {
    const flow = await create();
    await world.fault({ match: { path: 'update_flow' }, fault: { kind: 'timeout' } });
    await world.fault({
      match: { path: '/*' },
      times: 3,
      fault: { kind: 'error', status: 500, error: { message: 'Oops', code: 2 } },
    });
    const rename: FlowChange = { change: 'update', metadata: { ...renamed, name: `${name} renamed` } };
    await changeFlow(flow, rename, world.context()).catch(() => {});
    expect(await reconciled(flow)).toMatchObject({ id: flow.id, name: flow.name });
  });
});

describe('following the upstream', () => {
  it('an edit whose endpoint the upstream keeps in spite of null keeps it here, too', async () => {
    const flow = await createFlow(workspace, { ...metadata, name, ...endpoint }, world.context());
    const context = world.context();
    const update: typeof context.upstream.update = (id, { name, categories }) =>
      context.upstream.update(id, { name, categories });
    const removal: FlowChange = { change: 'update', metadata: { ...renamed, name, endpoint_url: null } };
    const { flow: edited } = await changeFlow(flow, removal, { ...context, upstream: { ...context.upstream, update } });
    expect(edited).toMatchObject({ categories: [8], ...endpoint });
    await expectEqualSides(flow);
  });

  it('an edit whose endpoint the upstream keeps is completed without its removal if the store failed', async () => {
    const flow = await createFlow(workspace, { ...metadata, name, ...endpoint }, world.context());
    const context = world.context({ flows: failingSave });
    const update: typeof context.upstream.update = (id, { name, categories }) =>
      context.upstream.update(id, { name, categories });
    const removal: FlowChange = { change: 'update', metadata: { ...renamed, name, endpoint_url: null } };
    const upstream = { ...context.upstream, update };
    await expect(changeFlow(flow, removal, { ...context, upstream })).rejects.toThrow('rejects');
    world.clock.ahead = muchLater;
    expect(await reconciled(flow)).toMatchObject({ categories: [8], ...endpoint });
    await expectEqualSides(flow);
  });

  it('an edit that leaves nothing to see upstream but the status is completed if the store failed', async () => {
    const published = (await changeFlow(await publishableFlow(), { change: 'publish' }, world.context()))
      .flow as LiveFlow;
    const same: FlowChange = { change: 'update', metadata: { ...metadata, name, endpoint_encrypted: false } };
    await expect(changeFlow(published, same, world.context({ flows: failingSave }))).rejects.toThrow('rejects');
    world.clock.ahead = muchLater;
    expect(await reconciled(published)).toMatchObject({ status: 'DRAFT', endpoint_encrypted: false });
    await expectEqualSides(published);
  });

  it('delete deprecates a Flow that was published outside of this service', async () => {
    const flow = await publishableFlow();
    await world.context().upstream.publish(flow.wa_id);
    const { flow: deleted } = await changeFlow(flow, { change: 'delete' }, world.context());
    expect(deleted?.status).toBe('DEPRECATED');
    await expectEqualSides(flow);
  });

  it('delete removes a draft that the upstream no longer knows', async () => {
    const flow = await create();
    await world.context().upstream.delete(flow.wa_id);
    expect((await changeFlow(flow, { change: 'delete' }, world.context())).flow).toBeUndefined();
    expect(await stored(flow)).toBeUndefined();
  });

  it('publish succeeds for a Flow that is already published upstream', async () => {
    const flow = await publishableFlow();
    await world.context().upstream.publish(flow.wa_id);
    expect((await changeFlow(flow, { change: 'publish' }, world.context())).flow?.status).toBe('PUBLISHED');
  });
});

describe('large content', () => {
  it.each([50_000, 400_000])('of %i bytes is returned completely and leaves no remains', async (bytes) => {
    const flow = await create();
    const left: StoredJson[] = [];
    for (const filler of ['a', 'b']) {
      const text = JSON.stringify({ version: '7.3', screens: [], filler: filler.repeat(bytes) });
      const context = world.context();
      const { flow: changed } = await changeFlow(
        (await stored(flow)) ?? flow,
        { change: 'update-json', text },
        context,
      );
      if (!changed) throw new Error('The Flow is gone');
      expect(await world.context().flowJson.read(changed.json)).toBe(text);
      for (const json of left) expect(await world.context().flowJson.read(json)).toBeUndefined();
      left.push(changed.json);
    }
    await changeFlow((await stored(flow)) ?? flow, { change: 'delete' }, world.context());
    for (const json of left) expect(await world.context().flowJson.read(json)).toBeUndefined();
    expect([...world.objects.keys()].filter((key) => key.includes(flow.id))).toHaveLength(0);
  });
});
