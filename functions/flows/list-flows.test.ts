import { describe, expect, it } from 'vitest';
import type { LiveFlow } from '#shared/flows/flow.ts';
import { encodeCursor } from '#shared/http/page.ts';
import { send } from '#support/aws/http-event.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { caller, workspace } from '#support/fakes/fake-access.ts';
import { draft, draftObject, type FakeFlowOptions, fakeFlowDependencies } from '#support/fakes/fake-flow-context.ts';
import { listFlows as contract } from './contracts.ts';
import { makeHandler } from './list-flows.ts';

captureLog();

/** Oldest first; every second one is published. */
const flows = Array.from(
  { length: 5 },
  (_, index): LiveFlow => ({
    ...draft,
    id: `018f0000-0000-7000-8000-00000000000${index}`,
    name: `Flow ${index}`,
    status: index % 2 ? 'PUBLISHED' : 'DRAFT',
  }),
);

const list = (query: Record<string, string> = {}, options: FakeFlowOptions = {}) =>
  send(makeHandler(fakeFlowDependencies({ flows, ...options }).dependencies), {
    contract,
    caller,
    pathParameters: { workspace: workspace.id },
    query,
  });

const path = `https://api.example.com/v2/workspaces/${workspace.id}/flows`;
const names = (json: { data: { name: string }[] }) => json.data.map(({ name }) => name);
const cursorTo = (index: number, towards: 'older' | 'newer') =>
  encodeCursor({ list: workspace.id, item: flows[index]?.id ?? '', towards });

describe('a list that fits on one page', () => {
  it('is returned to a member, newest first, without further pages', async () => {
    const { status, text } = await list({}, { flows: [draft], role: 'member' });
    expect(status).toBe(200);
    expect(text).toBe(
      JSON.stringify({
        data: [draftObject],
        links: { first: `${path}?limit=100`, last: null, prev: null, next: null },
        meta: { path, per_page: 100, next_cursor: null, prev_cursor: null },
      }),
    );
    expect(names((await list()).json)).toEqual(['Flow 4', 'Flow 3', 'Flow 2', 'Flow 1', 'Flow 0']);
  });

  it('is empty if there are no Flows', async () => {
    const { json } = await list({}, { flows: [] });
    expect(json).toMatchObject({ data: [], links: { next: null, prev: null } });
  });

  it('a list that fits on one page needs no business account', async () => {
    expect((await list({}, { workspace: { ...workspace, waba_id: null } })).status).toBe(200);
  });
});

describe('pages', () => {
  /** Follows a link as a client does: with the query that stands in it. */
  const follow = (link: string) => list(Object.fromEntries(new URL(link).searchParams));

  it('lead through the whole list and back, with each Flow once', async () => {
    const pages: string[][] = [];
    let page = (await list({ limit: '2' })).json;
    expect(page.links.prev).toBeNull();
    for (pages.push(names(page)); page.links.next; pages.push(names(page))) page = (await follow(page.links.next)).json;
    expect(pages).toEqual([['Flow 4', 'Flow 3'], ['Flow 2', 'Flow 1'], ['Flow 0']]);

    const back: string[][] = [];
    while (page.links.prev) {
      page = (await follow(page.links.prev)).json;
      back.push(names(page));
    }
    expect(back).toEqual([
      ['Flow 2', 'Flow 1'],
      ['Flow 4', 'Flow 3'],
    ]);
    expect(names((await follow(page.links.next)).json)).toEqual(['Flow 2', 'Flow 1']);
  });

  it('keep filter and limit in their links, and lead to the first page', async () => {
    const { json } = await list({ limit: '1', status: '2' });
    const next = cursorTo(3, 'older');
    expect(names(json)).toEqual(['Flow 3']);
    expect(json.links).toEqual({
      first: `${path}?status=2&limit=1`,
      last: null,
      prev: null,
      next: `${path}?status=2&limit=1&cursor=${next}`,
    });
    expect(json.meta).toEqual({ path, per_page: 1, next_cursor: next, prev_cursor: null });
    const second = (await follow(json.links.next)).json;
    expect(names(second)).toEqual(['Flow 1']);
    expect(second.links).toMatchObject({ next: null, prev: expect.stringContaining(cursorTo(1, 'newer')) });
  });

  it('continue after a Flow that was deleted between two pages', async () => {
    const remaining = flows.filter((_, index) => index !== 3);
    const { json } = await list({ limit: '2', cursor: cursorTo(3, 'older') }, { flows: remaining });
    expect(names(json)).toEqual(['Flow 2', 'Flow 1']);
  });
});

describe('the JSON of the Flows', () => {
  const { json: _, ...withoutJson } = draftObject;

  it('is left out with json=false, also by the links to other pages', async () => {
    const { json } = await list({ json: 'false', limit: '1' }, { flows: [draft, ...flows] });
    expect(json.data).toEqual([withoutJson]);
    expect(json.links.next).toBe(
      `${path}?json=false&limit=1&cursor=${encodeCursor({ list: workspace.id, item: draft.id, towards: 'older' })}`,
    );
  });

  it('is there with json=true, as by default', async () => {
    expect((await list({ json: 'true' }, { flows: [draft] })).json.data).toEqual([draftObject]);
  });

  it.each(['', '0', 'no', 'FALSE', 'false,true'])('is no other choice: %j', async (choice) => {
    const { status, json } = await list({ json: choice });
    expect(status).toBe(422);
    expect(json.errors).toEqual({ json: ['The selected json is invalid. Valid values: true, false.'] });
  });
});

describe('the filter', () => {
  it('is none if it has no value', async () => {
    const { json } = await list({ status: '', limit: '2' });
    expect(json.data).toHaveLength(2);
    expect(json.links.first).toBe(`${path}?limit=2`);
  });

  it.each([
    ['1', ['Flow 4', 'Flow 2', 'Flow 0']],
    ['2', ['Flow 3', 'Flow 1']],
  ])('shows the Flows with status %s', async (status, expected) => {
    expect(names((await list({ status })).json)).toEqual(expected);
  });
});

describe('a cursor that does not belong to this list', () => {
  const ofAnother = encodeCursor({ list: draft.id, item: flows[0]?.id ?? '', towards: 'older' });

  it.each([['of another workspace', ofAnother]])(
    'a cursor that does not belong to this list is rejected: %s',
    async (_, cursor) => {
      const { status, json } = await list({ cursor });
      expect(status).toBe(422);
      expect(Object.keys(json.errors)).toEqual(['cursor']);
    },
  );
});
