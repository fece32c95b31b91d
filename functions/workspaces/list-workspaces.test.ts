import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { type DiscoveryWorld, startDiscoveryWorld } from '#support/worlds/discovery-world.ts';
import { listWorkspaces as contract } from './contracts.ts';
import { makeHandler } from './list-workspaces.ts';

captureLog();

const world = forAllTests(() => startDiscoveryWorld());

const list = (user: Awaited<ReturnType<DiscoveryWorld['newUser']>>, query: Record<string, string> = {}) =>
  world.call({ contract, makeHandler }, user, { query });

describe('list-workspaces', () => {
  it('lists the workspaces with their business account and the role of the user', async () => {
    const user = await world.newUser();
    const owned = await world.newWorkspace(user, 'owner');
    const joined = await world.newWorkspace(user, 'member');
    await world.newWorkspace(await world.newUser(), 'owner');
    const { status, json } = await list(user);
    expect(status).toBe(200);
    const shown = {
      name: 'Acme',
      waba_id: '102290129340398',
      calling_enabled: true,
      created_at: '2026-01-31T08:15:30.123000Z',
    };
    expect(json).toEqual({
      data: [
        { id: joined.id, ...shown, role: 'member' },
        { id: owned.id, ...shown, role: 'owner' },
      ],
      links: { first: 'https://api.example.com/v2/workspaces?limit=100', last: null, prev: null, next: null },
      meta: { path: 'https://api.example.com/v2/workspaces', per_page: 100, next_cursor: null, prev_cursor: null },
    });
  });

  it('is empty for a user without workspaces', async () => {
    expect((await list(await world.newUser())).json.data).toEqual([]);
  });
});

describe('pages', () => {
  let user: Awaited<ReturnType<DiscoveryWorld['newUser']>>;
  const ids: string[] = [];
  beforeEach(async () => {
    user = await world.newUser();
    ids.length = 0;
    for (let count = 0; count < 5; count++) ids.unshift((await world.newWorkspace(user)).id);
  });
  const follow = (link: string) => list(user, Object.fromEntries(new URL(link).searchParams));
  const shown = (json: { data: { id: string }[] }) => json.data.map(({ id }) => id);

  it('lead through the whole list and back', async () => {
    const first = (await list(user, { limit: '2' })).json;
    const second = (await follow(first.links.next)).json;
    const third = (await follow(second.links.next)).json;
    expect([first, second, third].map(shown)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    expect([first.links.prev, third.links.next]).toEqual([null, null]);
    expect(shown((await follow(third.links.prev)).json)).toEqual(ids.slice(2, 4));
  });

  it('pages belong to one user', async () => {
    const { meta } = (await list(user, { limit: '1' })).json;
    const { status, json } = await list(await world.newUser(), { cursor: meta.next_cursor });
    expect({ status, fields: Object.keys(json.errors) }).toEqual({ status: 422, fields: ['cursor'] });
  });
});

it('list-workspaces needs a token that still exists', async () => {
  const { status } = await list({ id: newId(), token: 'ab'.repeat(32) });
  expect(status).toBe(401);
});
