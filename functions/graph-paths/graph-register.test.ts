import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { workspaceStore } from '#shared/accounts/workspace-store.ts';
import { registrationName } from '#shared/graph-paths/register-webhook.ts';
import {
  type DeliverySettings,
  findTarget,
  isNamed,
  newNamedTarget,
  ownName,
  type PhoneNumber,
  targetsOf,
} from '#shared/webhooks/subscriber.ts';
import type { NamedTargetChange } from '#shared/webhooks/target-change-store.ts';
import { secretsOf } from '#shared/webhooks/webhook-signature.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import {
  accounts,
  type GraphPathsWorld,
  phoneNumbers,
  startGraphPathsWorld,
} from '#support/worlds/graph-paths-world.ts';

const log = captureLog();

const url = 'https://app.example.com/webhooks/whatsapp';
const appSecret = 'the app secret of the app';
const callback = { override_callback_uri: url, verify_token: 'the token of the app' };
const ofAccount = `/v25.0/${accounts.alpha}/subscribed_apps`;
const ofNumber = `/v25.0/${phoneNumbers.alpha}`;
const name = registrationName('owner');

const world = forAllTests(() => startGraphPathsWorld());
afterEach(async () => {
  world.reset();
  for (const id of Object.values(phoneNumbers)) {
    const settings = await world.targets.findByPhoneNumberId(id);
    for (const target of settings ? targetsOf(settings).filter(isNamed) : []) {
      await world.targets.deleteTarget(String(settings?.subscriber.id), target);
    }
  }
});

const settingsOf = async (phoneNumberId: string) =>
  (await world.targets.findByPhoneNumberId(phoneNumberId)) as DeliverySettings;

/** Makes a target as the owner does who sets an app secret. */
async function make(phoneNumberId: string, targetName: string, app_secret?: string): Promise<void> {
  const { subscriber } = await settingsOf(phoneNumberId);
  const target = newNamedTarget(targetName);
  const settings = { url: 'https://old.example.com/', secret: 'whsec_x', format: 'meta', app_secret } as const;
  await world.targets.createTarget(subscriber.id, target, settings);
}

/** What is set for the target of the registrations. */
async function registered(phoneNumberId: string) {
  const settings = await settingsOf(phoneNumberId);
  const target = findTarget(settings, name);
  const secrets = target && secretsOf((await world.secrets.get(settings.subscriber.id)) as never, target);
  const record = target && settings.targets[target];
  return record && { url: record.url, format: record.format, secrets };
}

const registration = (secrets: object) => ({ url, format: 'meta', secrets: expect.objectContaining(secrets) });

it('holds the id of its user in the name of the target', () => {
  const target = registrationName('0191f3a0-5b1c-7abc-8def-0123456789ab');
  expect(target).toBe('u0191f3a05b1cabc8def0123456789ab');
  expect(target).toMatch(ownName);
});

describe('a callback of a number', () => {
  const body = { messaging_product: 'whatsapp', webhook_configuration: callback };

  it('is a target in the format of Meta, which keeps its secrets', async () => {
    await make(phoneNumbers.alpha, name, appSecret);
    const before = (await registered(phoneNumbers.alpha))?.secrets;
    const { status, text } = await world.call('POST', ofNumber, { body });
    expect([status, text]).toEqual([200, '{"success":true}']);
    const secrets = { current: before?.current, app_secret: appSecret, verify_token: callback.verify_token };
    expect(await registered(phoneNumbers.alpha)).toEqual(registration(secrets));
    expect(await registered(phoneNumbers.alphaSilent)).toBeUndefined();
    const { targets } = await settingsOf(phoneNumbers.alpha);
    expect(targets.webhook.url).toBeUndefined();
  });

  it('costs one call of the table more than the same change of ours', async () => {
    await make(phoneNumbers.alpha, name, appSecret);
    await world.call('POST', ofNumber, { body });
    expect(world.awsCalls).toHaveLength(7);
  });

  it('needs an app secret that was set before, whose request the error names', async () => {
    const { subscriber } = await settingsOf(phoneNumbers.alpha);
    const { status, json } = await world.call('POST', ofNumber, { body });
    expect([status, json.error.code]).toEqual([400, 100]);
    expect(json.error.message).toContain(`PUT /v2/messaging/numbers/${subscriber.id}/webhook/targets/${name}`);
    expect([await registered(phoneNumbers.alpha), world.handshakes]).toEqual([undefined, []]);
  });

  it('is taken away with an operation of this service', async () => {
    const taken = { webhook_configuration: { override_callback_uri: '' } };
    const { status, json } = await world.call('POST', ofNumber, { body: taken });
    expect([status, json.error.message]).toEqual([400, expect.stringContaining(`DELETE /v2/messaging/numbers/`)]);
  });

  it('is all of a number that can be changed', async () => {
    const { status, json } = await world.call('POST', ofNumber, { body: { pin: '123456' } });
    expect([status, json.error.message]).toEqual([400, expect.stringContaining('pin')]);
  });
});

it("registrations are read as at Graph: the user's own only", async () => {
  const list = async (as: 'owner' | 'sharer') => (await world.call('GET', ofAccount, { as })).json;
  const app = { id: 'owner', name, link: '' };
  expect(await list('owner')).toEqual({ data: [{ whatsapp_business_api_data: app }] });
  await make(phoneNumbers.alpha, name, appSecret);
  await make(phoneNumbers.alpha, 'other', appSecret);
  await world.call('POST', ofAccount, { body: callback });
  expect(await list('owner')).toEqual({ data: [{ whatsapp_business_api_data: app, override_callback_uri: url }] });
  const other = { id: 'sharer', name: registrationName('sharer'), link: '' };
  expect(await list('sharer')).toEqual({ data: [{ whatsapp_business_api_data: other }] });
});

describe('a callback of an account', () => {
  it("is one for each of the user's numbers, with the app secret of one of them, after one handshake", async () => {
    await make(phoneNumbers.alpha, name, appSecret);
    expect((await world.call('POST', ofAccount, { body: callback })).json).toEqual({ success: true });
    const asked = world.handshakes.map((each) => new URL(each).searchParams.get('hub.verify_token'));
    expect(asked).toEqual([callback.verify_token]);
    for (const number of [phoneNumbers.alpha, phoneNumbers.alphaSilent]) {
      expect(await registered(number)).toEqual(registration({ app_secret: appSecret }));
    }
    expect(await registered(phoneNumbers.gamma)).toBeUndefined();
  });

  it('changes nothing if one of the numbers has as many targets as it can have', async () => {
    await make(phoneNumbers.alpha, name, appSecret);
    const before = await registered(phoneNumbers.alpha);
    for (const each of ['a', 'b', 'c', 'd', 'e']) await make(phoneNumbers.alphaSilent, each);
    const { status, json } = await world.call('POST', ofAccount, { body: callback });
    expect([status, json.error.message]).toEqual([400, expect.stringContaining('5 targets')]);
    expect([await registered(phoneNumbers.alpha), world.handshakes]).toEqual([before, []]);
  });

  it('changes nothing if another request takes the last place meanwhile', async () => {
    await make(phoneNumbers.alpha, name, appSecret);
    const before = await registered(phoneNumbers.alpha);
    const { setTargets } = world.targets;
    const racing = vi.spyOn(world.targets, 'setTargets').mockImplementationOnce(async (changes) => {
      for (const each of ['a', 'b', 'c', 'd', 'e']) await make(phoneNumbers.alphaSilent, each);
      return setTargets(changes);
    });
    onTestFinished(() => racing.mockRestore());
    const { status, json } = await world.call('POST', ofAccount, { body: callback });
    expect([status, json.error.message]).toEqual([400, expect.stringContaining('5 targets')]);
    expect(await registered(phoneNumbers.alpha)).toEqual(before);
    expect(world.handshakes).toHaveLength(1);
  });

  it('is made again if another request changes a target meanwhile', async () => {
    await make(phoneNumbers.alpha, name, appSecret);
    const { setTargets } = world.targets;
    const racing = vi.spyOn(world.targets, 'setTargets').mockImplementationOnce(async (changes) => {
      const [{ subscriber, target }] = changes as [NamedTargetChange];
      await world.targets.changeTarget(subscriber, target, { events: ['messages'] });
      return setTargets(changes);
    });
    onTestFinished(() => racing.mockRestore());
    expect((await world.call('POST', ofAccount, { body: callback })).status).toBe(200);
    expect(await registered(phoneNumbers.alpha)).toEqual(registration({ app_secret: appSecret }));
  });

  it('stays in the workspaces that the user owns', async () => {
    const workspaces = workspaceStore(world.table);
    const workspace = world.workspaces.gamma.id;
    await workspaces.putMember({ workspace, user: 'owner', role: 'member' });
    await make(phoneNumbers.alpha, name, appSecret);
    expect((await world.call('POST', ofAccount, { body: callback })).status).toBe(200);
    expect(await registered(phoneNumbers.gamma)).toBeUndefined();
    await workspaces.removeMember(workspace, 'owner');
  });

  it('takes no app secret of a number in another workspace', async () => {
    const workspaces = workspaceStore(world.table);
    const workspace = world.workspaces.gamma.id;
    await workspaces.putMember({ workspace, user: 'owner', role: 'owner' });
    await make(phoneNumbers.gamma, name, appSecret);
    const { status, json } = await world.call('POST', ofAccount, { body: callback });
    expect([status, json.error.message]).toEqual([400, expect.stringContaining(name)]);
    expect(await registered(phoneNumbers.alpha)).toBeUndefined();
    await workspaces.removeMember(workspace, 'owner');
  });

  it('says that the account has no number, or more than one request sets', async () => {
    const numbersIn = vi.spyOn(world.objects, 'numbersIn');
    onTestFinished(() => numbersIn.mockRestore());
    const { subscriber } = await settingsOf(phoneNumbers.alpha);
    for (const [found, message] of [
      [{ numbers: [], more: false }, 'no active number'],
      [{ numbers: [subscriber as PhoneNumber], more: true }, 'more than 33 numbers'],
    ] as const) {
      numbersIn.mockResolvedValue({ ...found, numbers: [...found.numbers] });
      const { json } = await world.call('POST', ofAccount, { body: callback });
      expect(json.error.message).toContain(message);
    }
  });
});

describe('a callback whose receiver does not take it', () => {
  it.each<[string, object, Partial<ReturnType<GraphPathsWorld['receiver']>>, string]>([
    ['responds with another status', callback, { status: 403 }, 'status 403'],
    ['responds with another text', callback, { body: Buffer.from('a secret page') }, 'hub.challenge'],
    [
      'is on a private address',
      { ...callback, override_callback_uri: 'https://10.0.0.1/' },
      {},
      'override callback uri',
    ],
    ['has no verify token', { override_callback_uri: url }, {}, 'verify token'],
  ])('is an error that changes nothing: the receiver %s', async (_, body, answer, message) => {
    await make(phoneNumbers.alpha, name, appSecret);
    const before = await registered(phoneNumbers.alpha);
    const passes = world.receiver;
    world.receiver = (asked) => ({ ...passes(asked), ...answer });
    const { status, json, text } = await world.call('POST', ofAccount, { body });
    expect([status, json.error.code, json.error.message]).toEqual([400, 100, expect.stringContaining(message)]);
    expect(text).not.toContain('a secret page');
    expect(await registered(phoneNumbers.alpha)).toEqual(before);
  });
});

it.each([
  ['an account', ofAccount, undefined],
  ['an account, with an empty object as PHP writes it', ofAccount, []],
  ['an account, with a token only', ofAccount, { verify_token: 'x', subscribed_fields: 'messages' }],
  ['a number', ofNumber, undefined],
])('without an override nothing changes, and nobody is asked: %s', async (_, path, body) => {
  await make(phoneNumbers.alpha, name, appSecret);
  const before = await registered(phoneNumbers.alpha);
  for (const as of ['owner', 'member'] as const)
    expect(await world.call('POST', path, { as, body })).toMatchObject({ status: 200, json: { success: true } });
  expect([await registered(phoneNumbers.alpha), world.handshakes, world.asked]).toEqual([before, [], []]);
});

it('needs an owner, who is told so', async () => {
  await make(phoneNumbers.alpha, registrationName('member'), appSecret);
  for (const [path, body] of [
    [ofAccount, callback],
    [ofNumber, { webhook_configuration: callback }],
  ] as const) {
    expect(await world.call('POST', path, { as: 'member', body })).toMatchObject({ status: 403 });
  }
  expect(world.handshakes).toEqual([]);
});

it('leaves no secret in a response or a log', async () => {
  await make(phoneNumbers.alpha, name, appSecret);
  const { text } = await world.call('POST', ofAccount, { body: callback });
  world.receiver = () => ({ status: 403, truncated: false, body: Buffer.from('') });
  const refused = await world.call('POST', ofAccount, { body: callback });
  expect(text + refused.text + JSON.stringify(log)).not.toMatch(new RegExp(`${appSecret}|${callback.verify_token}`));
});
