import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract as listFlows } from '#functions/flows/list-flows/contract.ts';
import { contract as updateFlowJson } from '#functions/flows/update-flow-json/contract.ts';
import {
  canary,
  type FlowObject,
  type FlowService,
  flowJson,
  startFlowService,
} from '../../../support/flows/flow-service.ts';
import type { SuccessBody } from '../../../support/http/client.ts';

type Page = SuccessBody<typeof listFlows>;

let service: FlowService;

beforeAll(async () => {
  service = await startFlowService();
});
afterAll(() => service.close());

const list = (workspace: string, query: Record<string, string> = {}): Promise<Page> =>
  service.api.succeed(listFlows, { params: { workspace }, query });

const ids = ({ data }: Page) => data.map(({ id }) => id);

/** A page by the link that another page gives. */
async function follow(link: string | null): Promise<Page> {
  const { owner } = service.world.description.tokens;
  const response = await fetch(String(link), { headers: { authorization: `Bearer ${owner}` } });
  expect(response.status).toBe(200);
  return (await response.json()) as Page;
}

/** Flows made one after the other, the newest first. */
async function drafts(workspace: string, count: number): Promise<FlowObject[]> {
  const flows: FlowObject[] = [];
  for (let index = 0; index < count; index++) flows.unshift(await service.draft(workspace));
  return flows;
}

describe('a list of Flows that fits on one page', () => {
  it('has links and meta even if it is empty', async () => {
    const workspace = await service.newWorkspace();
    const path = `${service.baseUrl}/v2/workspaces/${workspace}/flows`;
    const page = await list(workspace);
    expect(page).toEqual({
      data: [],
      links: { first: `${path}?limit=100`, last: null, prev: null, next: null },
      meta: { path, per_page: 100, next_cursor: null, prev_cursor: null },
    });
    expect(Object.keys(page)).toEqual(['data', 'links', 'meta']);
    expect(Object.keys(page.links)).toEqual(['first', 'last', 'prev', 'next']);
    expect(Object.keys(page.meta)).toEqual(['path', 'per_page', 'next_cursor', 'prev_cursor']);
  });

  it('contains the Flow objects of the workspace as they were created, newest first', async () => {
    const [workspace, other] = [await service.newWorkspace(), await service.newWorkspace()];
    await service.draft(other);
    const flows = await drafts(workspace, 3);
    expect((await list(workspace)).data).toEqual(flows);
  });

  it('is shown to members, and lists Flows of any status by default', async () => {
    const workspace = await service.newWorkspace();
    const flows = [await service.published(workspace), await service.draft(workspace)];
    const token = service.world.description.tokens.member;
    const page = await service.api.succeed(listFlows, { params: { workspace }, token });
    expect(ids(page)).toEqual(flows.map(({ id }) => id).reverse());
  });

  it('works for a workspace without a business account', async () => {
    expect((await list(await service.newWorkspace({ wabaId: null }))).data).toEqual([]);
  });
});

describe('paging', () => {
  let workspace: string;
  let all: string[];
  beforeAll(async () => {
    workspace = await service.newWorkspace();
    all = (await drafts(workspace, 5)).map(({ id }) => id);
  });

  it('follows the links to the end and back', async () => {
    const first = await list(workspace, { limit: '2' });
    const second = await follow(first.links.next);
    const third = await follow(second.links.next);
    expect([first, second, third].map(ids)).toEqual([all.slice(0, 2), all.slice(2, 4), all.slice(4)]);
    expect([first.links.prev, third.links.next, third.meta.next_cursor]).toEqual([null, null, null]);
    expect(first.meta.per_page).toBe(2);

    const back = await follow(third.links.prev);
    const start = await follow(back.links.prev);
    expect([back, start].map(ids)).toEqual([all.slice(2, 4), all.slice(0, 2)]);
    expect(start.links.prev).toBeNull();
    expect(ids(await follow(start.links.next))).toEqual(all.slice(2, 4));
    expect(ids(await follow(third.links.first))).toEqual(all.slice(0, 2));
  });

  it('follows the cursors to the end and back', async () => {
    const first = await list(workspace, { limit: '3' });
    const second = await list(workspace, { limit: '3', cursor: String(first.meta.next_cursor) });
    expect([...ids(first), ...ids(second)]).toEqual(all);
    const back = await list(workspace, { limit: '1', cursor: String(second.meta.prev_cursor) });
    expect(ids(back)).toEqual([all[2]]);
  });

  it('ends even if the last page is exactly full', async () => {
    expect((await list(workspace, { limit: '5' })).links.next).toBeNull();
  });

  it('is not disturbed by Flows that are created meanwhile', async () => {
    const own = await service.newWorkspace();
    const before = (await drafts(own, 3)).map(({ id }) => id);
    const first = await list(own, { limit: '2' });
    const { id: newest } = await service.draft(own);
    const second = await follow(first.links.next);
    expect([...ids(first), ...ids(second)]).toEqual(before);
    expect(ids(await follow(first.links.first))).toEqual([newest, before[0]]);
  });

  it.each([
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '-1'],
    ['limit', '1.5'],
    ['limit', 'ten'],
    ['limit', ''],
    ['status', '6'],
    ['status', '-1'],
    ['status', 'DRAFT'],
    ['status', '1,2'],
    ['cursor', 'nonsense'],
    ['cursor', ''],
  ])('paging rejects %s=%s', async (name, value) => {
    const reply = await service.api.call(listFlows, { params: { workspace }, query: { [name]: value } });
    expect([reply.status, reply.body]).toEqual([
      422,
      { message: expect.any(String), errors: { [name]: [expect.any(String)] } },
    ]);
  });

  it('rejects a cursor of another workspace', async () => {
    const { meta } = await list(workspace, { limit: '1' });
    const elsewhere = await service.newWorkspace();
    const reply = await service.api.call(listFlows, {
      params: { workspace: elsewhere },
      query: { cursor: String(meta.next_cursor) },
    });
    expect(reply.status).toBe(422);
  });

  it('rejects parameters that it does not know, so that a client does not page through the first page forever', async () => {
    const reply = await service.api.call(listFlows, { params: { workspace }, query: { page: '2' } });
    expect(reply).toMatchObject({ status: 422, body: { errors: { page: [expect.any(String)] } } });
  });
});

describe('the status filter', () => {
  const statuses = ['UNKNOWN', 'DRAFT', 'PUBLISHED', 'DEPRECATED', 'BLOCKED', 'THROTTLED'] as const;
  let workspace: string;
  const flows: string[] = [];
  beforeAll(async () => {
    workspace = await service.newWorkspace();
    for (const status of statuses) {
      const { id } = await service.draft(workspace);
      await service.moveStored(workspace, id, status);
      flows.push(id);
    }
  });

  it.each(statuses.map((status, id) => [id, status] as const))('%i shows %s only', async (id, code) => {
    const page = await list(workspace, { status: String(id) });
    expect(page.data.map((flow) => [flow.id, flow.status.id, flow.status.code])).toEqual([[flows[id], id, code]]);
  });

  it('is kept in the links of its pages', async () => {
    for (const id of flows) await service.moveStored(workspace, id, 'DRAFT');
    const first = await list(workspace, { status: '1', limit: '4' });
    const second = await follow(first.links.next);
    expect([...ids(first), ...ids(second)]).toEqual(flows.toReversed());
    expect(await follow(second.links.first)).toEqual(first);
  });
});

describe('large Flows', () => {
  it('end a page before its body exceeds 5 MB, in both directions', async () => {
    const workspace = await service.newWorkspace();
    const flows = await drafts(workspace, 4);
    for (const { id: flow } of flows) {
      const json = { ...flowJson, filler: `${canary}é`.repeat(180_000) };
      await service.api.succeed(updateFlowJson, { params: { workspace, flow }, body: { json } });
    }
    const all = flows.map(({ id }) => id);

    const forth = [await service.api.call(listFlows, { params: { workspace } })];
    const pages = [forth[0]?.body as Page];
    for (let next = pages[0]?.meta.next_cursor; next; next = pages.at(-1)?.meta.next_cursor) {
      const reply = await service.api.call(listFlows, { params: { workspace }, query: { cursor: next } });
      forth.push(reply);
      pages.push(reply.body as Page);
    }
    expect(pages.flatMap(ids)).toEqual(all);
    expect(pages.map(({ data }) => data.length)).toEqual([3, 1]);
    for (const { text } of forth) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(5_000_000);

    const back = await list(workspace, { cursor: String(pages.at(-1)?.meta.prev_cursor) });
    expect(ids(back)).toEqual(all.slice(0, 3));
    expect(back.links.prev).toBeNull();
  });
});
