import { afterEach, describe, expect, it } from 'vitest';
import { workspaceStore } from '#shared/accounts/workspace-store.ts';
import { newId } from '#shared/base/ids.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { accounts, phoneNumbers, startGraphPathsWorld } from '#support/worlds/graph-paths-world.ts';

const log = captureLog();

const world = forAllTests(() => startGraphPathsWorld());
afterEach(() => {
  world.reset();
});

describe('a template', () => {
  it('is created, read, changed and deleted', async () => {
    const path = `/${accounts.alpha}/message_templates`;
    const body = { name: 'order', language: 'en_US', category: 'UTILITY', components: [{ type: 'BODY', text: 'Hi' }] };
    const { json } = await world.call('POST', path, { body });
    expect(json).toEqual({ id: expect.any(String), status: 'APPROVED', category: 'UTILITY' });
    await world.call('POST', `/${json.id}`, { body: { components: [{ type: 'BODY', text: 'Hello' }] } });
    const read = await world.call('GET', `/${json.id}`, { as: 'member', query: { fields: 'name,components' } });
    expect(read.json).toEqual({ id: json.id, name: 'order', components: [{ type: 'BODY', text: 'Hello' }] });
    expect((await world.call('DELETE', path, { query: { name: 'order' } })).json).toEqual({ success: true });
  });

  it('is looked for in the accounts of the user once, and then remembered for thirty days', async () => {
    const id = await world.newTemplate(accounts.beta);
    const pages = () => world.asked.filter(({ path }) => path.endsWith('/message_templates')).length;
    await world.call('GET', `/${id}`, { as: 'tenant' });
    expect(pages()).toBe(1);
    await world.call('GET', `/${id}`, { as: 'tenant' });
    expect(pages()).toBe(0);
    world.clock.now += 31 * 24 * 3600 * 1000;
    await world.call('GET', `/${id}`, { as: 'tenant' });
    expect(pages()).toBe(1);
  });

  it('is not looked for among the files of numbers if the request names fields', async () => {
    const id = await world.newTemplate(accounts.beta);
    await world.call('GET', `/${id}`, { as: 'tenant', query: { fields: 'name', pretty: '1' } });
    expect(world.asked.map(({ path }) => path)).toEqual([`${accounts.beta}/message_templates`, id]);
    await world.call('GET', '/123456', { as: 'tenant', query: { phone_number_id: phoneNumbers.beta } });
    expect(world.asked.map(({ path }) => path)).toEqual(['123456']);
  });

  it('counts in the summary of a list', async () => {
    const query = { summary: 'total_count,message_template_limit', limit: '1' };
    const { json } = await world.call('GET', `/${accounts.alpha}/message_templates`, { query });
    expect(json.summary).toEqual({ total_count: expect.any(Number), message_template_limit: 6_000 });
  });

  it('is found although an account before it cannot be read, which hides that account only', async () => {
    const workspaces = workspaceStore(world.table);
    const last = { id: newId(), name: 'Last', waba_id: '100000000000301', created_at: 0 };
    await workspaces.create(last);
    await workspaces.putMember({ workspace: last.id, user: 'tenant', role: 'owner' });
    for (const [failure, status, event] of [
      ['rejected', 400, 'upstream.failed'],
      ['credentials', 400, 'upstream.credentials-rejected'],
      ['timeout', 504, 'upstream.failed'],
    ] as const) {
      world.answer = ({ path }) => {
        if (path.startsWith(accounts.beta)) throw new UpstreamError(failure, 'It cannot be read');
        return path.startsWith(last.waba_id) ? { data: [{ id: '7777' }] } : { id: path };
      };
      expect((await world.call('POST', '/7777', { as: 'tenant', body: {} })).status).toBe(200);
      log.length = 0;
      expect((await world.call('POST', '/7778', { as: 'tenant', body: {} })).status, failure).toBe(status);
      expect(log).toContainEqual(expect.objectContaining({ event, ...(status === 400 && { account: accounts.beta }) }));
    }
    await workspaces.removeMember(last.id, 'tenant');
  });

  it('is looked for on at most ten pages', async () => {
    world.answer = ({ path }) =>
      path.endsWith('/message_templates')
        ? { data: [{ id: '7' }], paging: { next: 'https://graph.facebook.com/x', cursors: { after: 'a' } } }
        : undefined;
    const { status } = await world.call('POST', '/123456', { body: {} });
    expect([status, world.asked.length]).toEqual([400, 10]);
  });

  it('is among 100 at once, because some clients read one page only', async () => {
    await world.call('GET', `/${accounts.alpha}/message_templates`);
    expect(world.asked[0]?.query).toEqual({ limit: '100' });
    await world.call('GET', `/${accounts.alpha}/message_templates`, { query: { limit: '5000' } });
    expect(world.asked[0]?.query).toEqual({ limit: '100' });
  });
});

it('the profile is read and changed', async () => {
  const path = `/${phoneNumbers.alpha}/whatsapp_business_profile`;
  expect((await world.call('POST', path, { body: { about: 'Open' } })).json).toEqual({ success: true });
  const { json } = await world.call('GET', path, { as: 'member', query: { fields: 'about' } });
  expect(json.data).toEqual([{ about: 'Open', messaging_product: 'whatsapp' }]);
});
