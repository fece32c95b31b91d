import { describe, expect, it } from 'vitest';
import { captureLog } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { type DiscoveryWorld, startDiscoveryWorld } from '#support/worlds/discovery-world.ts';
import { listNumbers as contract } from './contracts.ts';
import { makeHandler } from './list-numbers.ts';

captureLog();

const world = forAllTests(() => startDiscoveryWorld());

const list = (user: Awaited<ReturnType<DiscoveryWorld['newUser']>>, query: Record<string, string> = {}) =>
  world.call({ contract, makeHandler }, user, { query });
const ids = (json: { data: { id: string }[] }) => json.data.map(({ id }) => id);

describe('list-numbers', () => {
  it('lists the active numbers of all workspaces of the user, with what a client needs', async () => {
    const user = await world.newUser();
    const [one, two] = [await world.newWorkspace(user), await world.newWorkspace(user)];
    const first = await world.newNumber(one);
    const second = await world.newNumber(two, { calling_enabled: false });
    await world.newNumber(one, { active: false });
    await world.newNumber(await world.newWorkspace(await world.newUser()));
    const { status, json } = await list(user);
    expect(status).toBe(200);
    const shown = { display_phone_number: '+55 11 4000-0001', created_at: '2026-01-31T08:15:30.123000Z' };
    expect(json.data).toEqual([
      { id: second.id, workspace: two.id, phone_number_id: second.phone_number_id, calling_enabled: false, ...shown },
      { id: first.id, workspace: one.id, phone_number_id: first.phone_number_id, calling_enabled: true, ...shown },
    ]);
  });

  it('keeps the workspace in the links of its pages', async () => {
    const user = await world.newUser();
    const [one, two] = [await world.newWorkspace(user), await world.newWorkspace(user)];
    const numbers = [await world.newNumber(one), await world.newNumber(one), await world.newNumber(two)];
    const page = (await list(user, { workspace: one.id.toUpperCase(), limit: '1' })).json;
    expect(ids(page)).toEqual([numbers[1]?.id]);
    const next = (await list(user, Object.fromEntries(new URL(page.links.next).searchParams))).json;
    expect({ ids: ids(next), next: next.links.next }).toEqual({ ids: [numbers[0]?.id], next: null });
    expect(next.links.first).toBe(`https://api.example.com/v2/messaging/numbers?workspace=${one.id}&limit=1`);
  });

  it('shows nothing of a workspace of others', async () => {
    const foreign = await world.newWorkspace(await world.newUser());
    await world.newNumber(foreign);
    const { status, json } = await list(await world.newUser(), { workspace: foreign.id });
    expect({ status, data: json.data }).toEqual({ status: 200, data: [] });
  });

  it('rejects a workspace that is not an id', async () => {
    const { status, json } = await list(await world.newUser(), { workspace: 'Acme' });
    expect({ status, fields: Object.keys(json.errors) }).toEqual({ status: 422, fields: ['workspace'] });
  });
});
