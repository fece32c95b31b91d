import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashToken, isWellFormed } from '#shared/accounts/token.ts';
import { indexKeys, keys } from '#shared/aws/keys.ts';
import { queryPartition, type Table } from '#shared/aws/table.ts';
import { newId } from '#shared/base/ids.ts';
import { deliveryStore } from '#shared/delivery/delivery-store.ts';
import { registrationName } from '#shared/graph-paths/register-webhook.ts';
import { builtInTargets, isNamed, nameOf, newNamedTarget } from '#shared/webhooks/subscriber.ts';
import { secretStore, targetStore } from '#shared/webhooks/subscriber-store.ts';
import { createSecret } from '#shared/webhooks/webhook-signature.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { runCommand } from '#support/command-line.ts';
import { forAllTests } from '#support/for-tests.ts';
import { openService, type Service } from './service.ts';
import { Rejection, UsageError } from './terminal/errors.ts';
import { type Result, renderJson } from './terminal/render.ts';

const noUpstream = () => {
  throw new UsageError('Nobody says where the credentials are.');
};

let service: Service;
let now: number;

const dynamodb = forAllTests(() => startTestTable());
beforeAll(() => {
  service = openService({ table: dynamodb.table, openUpstream: noUpstream }, () => now);
});
beforeEach(() => {
  now = Date.parse('2026-08-01T12:00:00Z');
});

const run = (...words: string[]): Promise<Result> => runCommand(service, ...words);

/** What a script gets from the command. */
const json = async (...words: string[]) => JSON.parse(renderJson(await run(...words)));

const createUser = async (name = 'Ana'): Promise<string> => (await json('user', 'create', '--name', name)).id;

const createWorkspace = async (...options: string[]): Promise<string> =>
  (await json('workspace', 'create', '--name', 'Acme', ...options)).id;

let lastPhoneNumberId = 500_000;

async function createNumber(workspace: string, ...options: string[]): Promise<string> {
  const phoneNumberId = String(++lastPhoneNumberId);
  const fixed = ['--workspace', workspace, '--phone-number-id', phoneNumberId, '--display-phone-number', '+55 11 4000'];
  return (await json('number', 'create', ...fixed, ...options)).id;
}

describe('workspace', () => {
  it('is created with its business account and owner', async () => {
    const owner = await createUser();
    const workspace = await json('workspace', 'create', '--name', 'Acme', '--waba-id', '123', '--owner', owner);
    expect(workspace).toEqual({
      id: expect.any(String),
      name: 'Acme',
      waba_id: '123',
      calling_enabled: true,
      created_at: '2026-08-01T12:00:00.000000Z',
    });
    expect(await service.workspaces.listMembers(workspace.id)).toEqual([
      { workspace: workspace.id, user: owner, role: 'owner' },
    ]);
  });

  it('is created without either, and the output says how to add an owner', async () => {
    const { value, note } = await run('workspace', 'create', '--name', 'Acme');
    expect(value).toMatchObject({ waba_id: null });
    expect(note).toContain('member add');
  });

  it('is not created for an owner who does not exist', async () => {
    const before = await service.workspaces.list();
    await expect(createWorkspace('--owner', newId())).rejects.toThrow(Rejection);
    expect(await service.workspaces.list()).toEqual(before);
  });

  it('is listed after its creation', async () => {
    const id = await createWorkspace();
    expect(await json('workspace', 'list')).toContainEqual(expect.objectContaining({ id, name: 'Acme' }));
  });

  it('is shown with its members and numbers', async () => {
    const owner = await createUser('Bruno');
    const id = await createWorkspace('--owner', owner);
    const number = await createNumber(id);
    expect(await json('workspace', 'show', id)).toMatchObject({
      id,
      members: [{ user: owner, name: 'Bruno', role: 'owner' }],
      numbers: [{ id: number, active: true, calling_enabled: true }],
    });
  });

  it('gets another business account, or has it removed', async () => {
    const id = await createWorkspace('--waba-id', '1');
    expect(await json('workspace', 'set-waba', id, '--waba-id', '2')).toMatchObject({ id, waba_id: '2' });
    expect(await json('workspace', 'set-waba', id, '--none')).toMatchObject({ id, waba_id: null });
    expect(await service.workspaces.get(id)).toMatchObject({ waba_id: null });
  });

  it('has calls turned off and on', async () => {
    const id = await createWorkspace();
    expect(await json('workspace', 'show', id)).toMatchObject({ calling_enabled: true });
    expect(await json('workspace', 'calling', id, 'off')).toMatchObject({ calling_enabled: false });
    expect(await service.workspaces.get(id)).toMatchObject({ calling_enabled: false });
    expect(await json('workspace', 'calling', id, 'on')).toMatchObject({ calling_enabled: true });
  });

  it('is not changed if the arguments neither set nor remove the business account', async () => {
    const id = await createWorkspace('--waba-id', '1');
    await expect(run('workspace', 'set-waba', id)).rejects.toThrow(UsageError);
    await expect(run('workspace', 'set-waba', id, '--none', '--waba-id', '2')).rejects.toThrow(UsageError);
    expect(await service.workspaces.get(id)).toMatchObject({ waba_id: '1' });
  });

  it('must exist for every command about it', async () => {
    const unknown = newId();
    for (const words of [
      ['workspace', 'show', unknown],
      ['workspace', 'set-waba', unknown, '--none'],
      ['workspace', 'calling', unknown, 'off'],
      ['member', 'list', unknown],
      ['number', 'list', '--workspace', unknown],
    ]) {
      await expect(run(...words)).rejects.toThrow(`There is no workspace ${unknown}`);
    }
  });
});

describe('member', () => {
  it('is added, changes role, and is removed', async () => {
    const [owner, user] = [await createUser('Ana'), await createUser('Bruno')];
    const workspace = await createWorkspace('--owner', owner);
    const members = () => json('member', 'list', workspace);

    await run('member', 'add', workspace, user);
    expect(await members()).toContainEqual({ user, name: 'Bruno', role: 'member' });
    await run('member', 'add', workspace, user, '--owner');
    expect(await members()).toContainEqual({ user, name: 'Bruno', role: 'owner' });
    await run('member', 'add', workspace, user);
    expect(await members()).toContainEqual({ user, name: 'Bruno', role: 'member' });
    await run('member', 'remove', workspace, user);
    expect(await members()).toEqual([{ user: owner, name: 'Ana', role: 'owner' }]);
  });

  it('stays an owner while there is no other owner', async () => {
    const [owner, member] = [await createUser(), await createUser()];
    const workspace = await createWorkspace('--owner', owner);
    await run('member', 'add', workspace, member);
    await expect(run('member', 'remove', workspace, owner)).rejects.toThrow('last owner');
    await expect(run('member', 'add', workspace, owner)).rejects.toThrow('last owner');

    await run('member', 'add', workspace, member, '--owner');
    await run('member', 'remove', workspace, owner);
    expect(await service.workspaces.listMembers(workspace)).toEqual([{ workspace, user: member, role: 'owner' }]);
  });

  it('must be an existing user and, to be removed, a member', async () => {
    const workspace = await createWorkspace();
    const [stranger, nobody] = [await createUser(), newId()];
    await expect(run('member', 'add', workspace, nobody)).rejects.toThrow(`There is no user ${nobody}`);
    await expect(run('member', 'remove', workspace, stranger)).rejects.toThrow('not a member');
    await expect(run('member', 'add', newId(), stranger)).rejects.toThrow('There is no workspace');
  });
});

describe('user', () => {
  it('is created and listed', async () => {
    const id = await createUser('  Zoë  ');
    expect(await json('user', 'list')).toContainEqual({ id, name: 'Zoë', created_at: '2026-08-01T12:00:00.000000Z' });
  });
});

describe('number', () => {
  it('is created active and with calling by default', async () => {
    const workspace = await createWorkspace();
    const [plain, other] = [await createNumber(workspace), await createNumber(workspace, '--no-calling', '--inactive')];
    expect(await json('number', 'list', '--workspace', workspace)).toEqual([
      expect.objectContaining({ id: plain, active: true, calling_enabled: true }),
      expect.objectContaining({ id: other, active: false, calling_enabled: false }),
    ]);
  });

  it('is activated and deactivated, and its calling is enabled and disabled', async () => {
    const id = await createNumber(await createWorkspace());
    expect(await json('number', 'deactivate', id)).toMatchObject({ id, active: false });
    expect(await json('number', 'activate', id)).toMatchObject({ id, active: true });
    expect(await json('number', 'calling', id, 'on')).toMatchObject({ calling_enabled: true, active: true });
    expect(await json('number', 'calling', id, 'off')).toMatchObject({ calling_enabled: false, active: true });
  });

  it('cannot have the phone number id of another number', async () => {
    const [workspace, other] = [await createWorkspace(), await createWorkspace()];
    const create = (of: string) =>
      run('number', 'create', '--workspace', of, '--phone-number-id', '777', '--display-phone-number', '+1');
    await create(workspace);
    await expect(create(other)).rejects.toThrow('Phone number id 777 already belongs to another number.');
    expect(await service.numbers.listByWorkspace(other)).toEqual([]);
  });

  it('must exist, and so must its workspace', async () => {
    const unknown = newId();
    for (const words of [
      ['activate', unknown],
      ['deactivate', unknown],
      ['calling', unknown, 'on'],
    ]) {
      await expect(run('number', ...words)).rejects.toThrow(`There is no number ${unknown}`);
    }
    await expect(createNumber(newId())).rejects.toThrow('There is no workspace');
  });
});

describe('token', () => {
  it('is shown once, and only its hash is stored', async () => {
    const user = await createUser();
    const { value, note } = await run('token', 'create', '--user', user, '--label', 'CI');
    const { token, hash } = value as { token: string; hash: string };
    expect(isWellFormed(token)).toBe(true);
    expect(hash).toBe(hashToken(token));
    expect(note).toContain('once');
    expect(await service.tokens.get(hash)).toEqual({ hash, user, label: 'CI', created_at: now });
    expect(JSON.stringify(await run('token', 'list', '--user', user))).not.toContain(token);
  });

  it.each([
    ['90d', '2026-10-30T12:00:00.000000Z'],
    ['12h', '2026-08-02T00:00:00.000000Z'],
    ['2027-01-31', '2027-01-31T00:00:00.000000Z'],
  ])('expires at the requested time: %s', async (expires, expected) => {
    const { hash, expires_at } = await json('token', 'create', '--user', await createUser(), '--expires', expires);
    expect(expires_at).toBe(expected);
    expect(await service.tokens.get(hash)).toMatchObject({ expires_at: Date.parse(expected) });
  });

  it.each(['0d', '2026-07-31', '2026-08-01'])('cannot expire in the past: %s', async (expires) => {
    const user = await createUser();
    await expect(run('token', 'create', '--user', user, '--expires', expires)).rejects.toThrow(Rejection);
    expect(await service.tokens.listByUser(user)).toEqual([]);
  });

  it('is listed with its state', async () => {
    const user = await createUser();
    const { hash } = await json('token', 'create', '--user', user, '--expires', '1h', '--label', 'CI');
    const row = {
      hash_prefix: hash.slice(0, 12),
      label: 'CI',
      created_at: '2026-08-01T12:00:00.000000Z',
      expires_at: '2026-08-01T13:00:00.000000Z',
    };
    expect(await json('token', 'list', '--user', user)).toEqual([{ ...row, state: 'active' }]);
    now += 3_600_000;
    expect(await json('token', 'list', '--user', user)).toEqual([{ ...row, state: 'expired' }]);
  });

  it('is revoked by its text, by its hash, or by the beginning of its hash', async () => {
    const user = await createUser();
    const references: ((created: { token: string; hash: string }) => string[])[] = [
      ({ token }) => [token],
      ({ hash }) => [hash.toUpperCase()],
      ({ hash }) => [hash.slice(0, 8), '--user', user],
      ({ token }) => [token, '--user', user],
    ];
    for (const referTo of references) {
      const created = await json('token', 'create', '--user', user);
      expect(await json('token', 'revoke', ...referTo(created))).toMatchObject({ user, state: 'revoked' });
      expect(await service.tokens.get(created.hash)).toBeUndefined();
    }
  });

  it('is not revoked by an ambiguous hash or for another user', async () => {
    const [user, other] = [await createUser(), await createUser()];
    const shared = 'abcdef0123456789';
    const hashes = ['1', '2'].map((digit) => shared + digit.repeat(48));
    for (const hash of hashes) await service.tokens.create({ hash, user, label: '', created_at: now });

    await expect(run('token', 'revoke', shared, '--user', user)).rejects.toThrow('Several tokens');
    await expect(run('token', 'revoke', shared)).rejects.toThrow(UsageError);
    await expect(run('token', 'revoke', hashes[0] ?? '', '--user', other)).rejects.toThrow('no such token');
    expect(await service.tokens.listByUser(user)).toHaveLength(2);

    await run('token', 'revoke', `${shared}1`, '--user', user);
    expect(await service.tokens.listByUser(user)).toEqual([expect.objectContaining({ hash: hashes[1] })]);
  });

  it('must exist, and so must its user', async () => {
    const unknown = newId();
    await expect(run('token', 'revoke', 'a'.repeat(64))).rejects.toThrow('There is no such token');
    await expect(run('token', 'create', '--user', unknown)).rejects.toThrow('There is no user');
    await expect(run('token', 'list', '--user', unknown)).rejects.toThrow('There is no user');
  });
});

describe('rename', () => {
  it('changes the name of a workspace or a user, and the displayed number', async () => {
    const user = await createUser('Ana');
    const workspace = await createWorkspace();
    const number = await createNumber(workspace);
    expect(await json('user', 'rename', user, '--name', 'Ana Lima')).toMatchObject({ id: user, name: 'Ana Lima' });
    expect(await json('workspace', 'rename', workspace, '--name', 'Acme 2')).toMatchObject({ name: 'Acme 2' });
    expect(await json('number', 'rename', number, '--display-phone-number', '+1 2')).toMatchObject({
      display_phone_number: '+1 2',
    });
    expect(await service.workspaces.get(workspace)).toMatchObject({ name: 'Acme 2' });
  });

  it('creates nothing if the id is unknown', async () => {
    const unknown = newId();
    await expect(run('user', 'rename', unknown, '--name', 'x')).rejects.toThrow('There is no user');
    await expect(run('workspace', 'rename', unknown, '--name', 'x')).rejects.toThrow('There is no workspace');
    await expect(run('number', 'rename', unknown, '--display-phone-number', 'x')).rejects.toThrow('There is no number');
    expect(await service.users.get(unknown)).toBeUndefined();
  });
});

/** The same table, on a connection that breaks with the nth deletion. */
function breakingAt(deletion: number): Service {
  let deletions = 0;
  const client = {
    send: async (command: { constructor: { name: string }; input: { TransactItems?: unknown } }) => {
      const deletes = command.constructor.name === 'DeleteCommand' || command.input.TransactItems !== undefined;
      if (deletes && ++deletions === deletion) throw new Error('crash');
      return dynamodb.table.client.send(command as never);
    },
  };
  const table = { name: dynamodb.table.name, client: client as unknown as Table['client'] };
  return openService({ table, openUpstream: noUpstream }, () => now);
}

/** Repeats a command after a crash at each of its deletions, then lets it finish. */
async function crashAndRepeat(crashes: number, ...words: string[]): Promise<void> {
  for (let deletion = 1; deletion <= crashes; deletion++) {
    await expect(runCommand(breakingAt(1 + (deletion % 2)), ...words)).rejects.toThrow('crash');
  }
  await run(...words);
}

describe('the webhooks that a user has registered', () => {
  it.each([
    ['member remove', (workspace: string, user: string) => ['member', 'remove', workspace, user]],
    ['user delete', (_: string, user: string) => ['user', 'delete', user]],
  ])('go with %s, and no others', async (_, wordsFor) => {
    const [owner, user] = [await createUser(), await createUser()];
    const workspace = await createWorkspace('--owner', owner);
    await run('member', 'add', workspace, user, '--owner');
    const number = await createNumber(workspace);
    const settings = { url: 'https://example.com', secret: createSecret() };
    for (const id of [owner, user]) {
      await service.targets.createTarget(number, newNamedTarget(registrationName(id)), settings);
    }
    await run(...wordsFor(workspace, user));
    const names = Object.keys((await service.targets.read(number))?.targets ?? {})
      .filter(isNamed)
      .map(nameOf);
    expect(names).toEqual([registrationName(owner)]);
  });
});

describe('user delete', () => {
  it('revokes the tokens, ends the memberships and deletes the user, even after crashes', async () => {
    const [owner, user] = [await createUser(), await createUser()];
    const workspaces = [await createWorkspace('--owner', owner), await createWorkspace('--owner', owner)];
    for (const workspace of workspaces) await run('member', 'add', workspace, user);
    const tokens = [await json('token', 'create', '--user', user), await json('token', 'create', '--user', user)];
    await crashAndRepeat(2, 'user', 'delete', user);
    expect(await service.users.get(user)).toBeUndefined();
    for (const { hash } of tokens) expect(await service.tokens.get(hash)).toBeUndefined();
    for (const workspace of workspaces) {
      expect(await service.workspaces.listMembers(workspace)).toEqual([{ workspace, user: owner, role: 'owner' }]);
    }
    await expect(run('user', 'delete', user)).rejects.toThrow('There is no user');
  });

  it('is rejected for the last owner of a workspace, and says what to do', async () => {
    const user = await createUser();
    const workspace = await createWorkspace('--owner', user);
    const { hash } = await json('token', 'create', '--user', user);
    await expect(run('user', 'delete', user)).rejects.toThrow(`member add ${workspace} USER --owner`);
    expect(await service.tokens.get(hash)).toBeDefined();
  });
});

describe('workspace delete', () => {
  it('is rejected while there are numbers', async () => {
    const owner = await createUser();
    const workspace = await createWorkspace('--owner', owner);
    const number = await createNumber(workspace);
    await expect(run('workspace', 'delete', workspace)).rejects.toThrow(`first: ./messaging number delete ${number}`);
    expect(await service.workspaces.listMembers(workspace)).toHaveLength(1);
  });

  it('is rejected while there are Flows that are not deprecated', async () => {
    const workspace = await createWorkspace();
    const flows: Service['flows'] = {
      ...service.flows,
      async *list() {
        yield { id: 'f1', name: 'Old', status: 'DEPRECATED' } as never;
        yield { id: 'f2', name: 'Book a table', status: 'PUBLISHED' } as never;
      },
    };
    const deleting = runCommand({ ...service, flows }, 'workspace', 'delete', workspace);
    await expect(deleting).rejects.toThrow(`DELETE /v2/workspaces/${workspace}/flows/f2`);
    expect(await service.workspaces.get(workspace)).toBeDefined();
  });

  it('deletes deprecated Flows, and releases the platform’s ids of them', async () => {
    const workspace = await createWorkspace();
    const [id, wa_id] = [newId(), '123456789'];
    const json = { item: newId(), bytes: 2_000 };
    const flow = { id, workspace, name: 'Old', status: 'DEPRECATED', wa_id, json };
    const claim = { ...keys.upstreamFlow(wa_id), flow: id };
    const { client, name: TableName } = dynamodb.table;
    const text = { ...keys.flowJson(json.item), id: json.item, flow: id, text: '{}' };
    for (const Item of [{ ...keys.flow(workspace, id), ...indexKeys.flow(id), ...flow }, claim, text]) {
      await client.send(new PutCommand({ TableName, Item }));
    }
    await crashAndRepeat(2, 'workspace', 'delete', workspace);
    const gone = [
      keys.flow(workspace, id),
      keys.upstreamFlow(wa_id),
      keys.flowJson(json.item),
      keys.workspace(workspace),
    ];
    for (const Key of gone) {
      expect((await client.send(new GetCommand({ TableName, Key }))).Item).toBeUndefined();
    }
  });

  it('deletes the members, the settings and the secrets, even after crashes', async () => {
    const [owner, member] = [await createUser(), await createUser()];
    const workspace = await createWorkspace('--owner', owner);
    await run('member', 'add', workspace, member);
    const { table } = dynamodb;
    expect(await secretStore(table).get(workspace)).toMatchObject({ current: expect.stringMatching(/^whsec_/) });
    await crashAndRepeat(2, 'workspace', 'delete', workspace);
    expect(await service.workspaces.get(workspace)).toBeUndefined();
    for (const { pk } of [keys.workspace(workspace), keys.workspaceSubscriber(workspace), keys.secrets(workspace)]) {
      expect(await Array.fromAsync(queryPartition(table, pk))).toEqual([]);
    }
    expect(await service.workspaces.listMembers(workspace)).toEqual([]);
    expect(await json('workspace', 'list')).not.toContainEqual(expect.objectContaining({ id: workspace }));
  });
});

describe('number delete', () => {
  it('discards held deliveries, deletes the secrets and frees the phone number id, even after crashes', async () => {
    const workspace = await createWorkspace();
    const number = await createNumber(workspace);
    const phoneNumberId = String(lastPhoneNumberId);
    const { table } = dynamodb;
    const [store, secrets, deliveries] = [targetStore(table), secretStore(table), deliveryStore(table)];
    expect(await secrets.get(number)).toMatchObject({ current: expect.stringMatching(/^whsec_/) });
    await store.setUrls(number, { webhook: 'https://example.com/hook' });
    const id = newId();
    const held = {
      task: 'deliver',
      id,
      subscriber: number,
      target: 'webhook',
      kind: 'message',
      payload: { text: '{}' },
      created_at: now,
    };
    await deliveries.hold(held as never, now);
    await crashAndRepeat(7, 'number', 'delete', number);
    expect(await deliveries.get(number, id, builtInTargets)).toMatchObject({ state: 'discarded' });
    for (const target of builtInTargets) expect(await Array.fromAsync(deliveries.listHeld(number, target))).toEqual([]);
    expect(await secrets.get(number)).toBeUndefined();
    const { pk } = keys.number(number);
    expect(await Array.fromAsync(queryPartition(table, pk))).toEqual([]);
    expect(await service.numbers.get(number)).toBeUndefined();
    expect(await store.findByPhoneNumberId(phoneNumberId)).toBeUndefined();
    await run(
      'number',
      'create',
      '--workspace',
      workspace,
      '--phone-number-id',
      phoneNumberId,
      '--display-phone-number',
      '+1',
    );
  });

  it('is rejected for a number that does not exist', async () => {
    await expect(run('number', 'delete', newId())).rejects.toThrow('There is no number');
  });
});

describe('a write that the client repeats because its response was lost', () => {
  /** Every write arrives twice; the second one's response is the one that comes back. */
  const repeating = (): Service => {
    const client = {
      send: async (command: { constructor: { name: string } }) => {
        if (command.constructor.name === 'PutCommand') await dynamodb.table.client.send(command as never);
        return dynamodb.table.client.send(command as never);
      },
    };
    const table = { name: dynamodb.table.name, client: client as unknown as Table['client'] };
    return openService({ table, openUpstream: noUpstream }, () => now);
  };

  it('succeeds for the token, the user and the workspace', async () => {
    const { value } = await runCommand(repeating(), 'user', 'create', '--name', 'Ana');
    const user = (value as { id: string }).id;
    const created = await runCommand(repeating(), 'token', 'create', '--user', user, '--expires', '1h');
    expect(await service.tokens.get((created.value as { hash: string }).hash)).toMatchObject({ user });
    await runCommand(repeating(), 'workspace', 'create', '--name', 'Acme', '--owner', user);
  });

  it('is not confused with a key that belongs to another item', async () => {
    const user = await createUser();
    const token = { hash: 'c'.repeat(64), user, label: '', created_at: now };
    await service.tokens.create(token);
    await expect(service.tokens.create({ ...token, label: 'another' })).rejects.toThrow('another item');
  });
});
