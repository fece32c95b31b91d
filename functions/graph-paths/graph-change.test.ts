import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hashToken, withChecksum } from '#shared/accounts/token.ts';
import { tokenStore } from '#shared/accounts/user-store.ts';
import { workspaceStore } from '#shared/accounts/workspace-store.ts';
import { newId } from '#shared/base/ids.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import { registrationName } from '#shared/graph-paths/register-webhook.ts';
import { findTarget, newNamedTarget } from '#shared/webhooks/subscriber.ts';
import { secretStore, targetStore } from '#shared/webhooks/subscriber-store.ts';
import { secretsOf } from '#shared/webhooks/webhook-signature.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import {
  accounts,
  type GraphPathsWorld,
  phoneNumbers,
  startGraphPathsWorld,
} from '#support/worlds/graph-paths-world.ts';

captureLog();

let world: GraphPathsWorld;
beforeAll(async () => {
  world = await startGraphPathsWorld();
});
afterEach(() => {
  world.reset();
  world.handshakes.length = 0;
});
afterAll(() => world.close());

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

  it('counts in the summary of a list', async () => {
    const query = { summary: 'total_count,message_template_limit', limit: '1' };
    const { json } = await world.call('GET', `/${accounts.alpha}/message_templates`, { query });
    expect(json.summary).toEqual({ total_count: expect.any(Number), message_template_limit: 6_000 });
  });

  it('is found although requests for an account before it fail', async () => {
    const workspaces = workspaceStore(world.table);
    const last = { id: newId(), name: 'Last', waba_id: '100000000000301', created_at: 0 };
    await workspaces.create(last);
    await workspaces.putMember({ workspace: last.id, user: 'tenant', role: 'owner' });
    world.answer = ({ path }) => {
      if (path.startsWith(accounts.beta)) throw new UpstreamError('credentials', 'A wrong token');
      return path.startsWith(last.waba_id) ? { data: [{ id: '7777' }] } : { id: path };
    };
    expect((await world.call('POST', '/7777', { as: 'tenant', body: {} })).status).toBe(200);
    expect((await world.call('POST', '/7778', { as: 'tenant', body: {} })).status).toBe(502);
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

describe("a webhook that a client registers on Graph's paths", () => {
  const uri = 'https://app.example.com/webhooks';
  const override = { override_callback_uri: uri, verify_token: 'verify-me' };

  /** An owner of the first workspace, the target of whose registrations has this app secret at its first number. */
  async function newOwner(app_secret?: string) {
    const user = newId();
    const { alpha } = world.workspaces;
    const token = withChecksum(user.replaceAll('-', '').slice(0, 32).toUpperCase());
    await workspaceStore(world.table).putMember({ workspace: alpha.id, user, role: 'owner' });
    await tokenStore(world.table).create({ hash: hashToken(token), user } as never);
    const name = registrationName(user);
    const targets = targetStore(world.table);
    const numberId = async (id: string) => String((await targets.findByPhoneNumberId(id))?.subscriber.id);
    const first = await numberId(phoneNumbers.alpha);
    const settings = { url: uri, secret: 'whsec_x', format: 'meta', app_secret } as const;
    if (app_secret) await targets.createTarget(first, newNamedTarget(name), settings);
    const post = (path: string, body: object) => world.call('POST', path, { authorization: `Bearer ${token}`, body });
    const known = async (id: string) => {
      const found = await targets.read(id);
      const target = found && findTarget(found, name);
      const secrets = target && (await secretStore(world.table).get(id));
      return target && { ...found.targets[target], ...(secrets && secretsOf(secrets, target)) };
    };
    return { name, first, numberId, post, known };
  }

  it('needs an app secret that was set for the target before, whose name the error says', async () => {
    const { post, name, first, known } = await newOwner();
    const { status, json } = await post(`/${phoneNumbers.alpha}`, { webhook_configuration: override });
    expect([status, json.error.code]).toEqual([400, 100]);
    expect(json.error.message).toContain(`PUT /v2/messaging/numbers/${first}/webhook/targets/${name}`);
    expect(await known(first)).toBeUndefined();
    expect(world.handshakes).toEqual([]);
  });

  it('is a target in the format of Meta for each number of the account, after one handshake', async () => {
    const { post, known, first, numberId } = await newOwner('x'.repeat(16));
    const moved = { ...override, override_callback_uri: `${uri}/2` };
    expect((await post(`/${accounts.alpha}/subscribed_apps`, moved)).json).toEqual({ success: true });
    const silent = await known(await numberId(phoneNumbers.alphaSilent));
    for (const target of [await known(first), silent]) {
      expect(target).toMatchObject({ url: `${uri}/2`, format: 'meta', app_secret: 'x'.repeat(16) });
    }
    expect(world.handshakes).toHaveLength(1);
  });

  it('changes nothing without an override, and asks the platform for nothing', async () => {
    const { post, known, first } = await newOwner('x'.repeat(16));
    const before = await known(first);
    for (const body of [{}, { override_callback_uri: '' }]) {
      expect((await post(`/${accounts.alpha}/subscribed_apps`, body)).json).toEqual({ success: true });
      expect((await post(`/${phoneNumbers.alpha}`, { webhook_configuration: body })).json).toEqual({ success: true });
    }
    expect(await known(first)).toEqual(before);
    expect([world.asked, world.handshakes]).toEqual([[], []]);
  });

  it('changes nothing if one of the numbers can have no further target', async () => {
    const { post, known, first, numberId } = await newOwner('x'.repeat(16));
    const silent = await numberId(phoneNumbers.alphaSilent);
    const targets = targetStore(world.table);
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await targets.createTarget(silent, newNamedTarget(name), { url: uri, secret: 'whsec_x' });
    }
    const before = await known(first);
    const { status } = await post(`/${accounts.alpha}/subscribed_apps`, {
      ...override,
      override_callback_uri: `${uri}/3`,
    });
    expect(status).toBe(400);
    expect(await known(first)).toEqual(before);
    expect(world.handshakes).toEqual([]);
  });
});
