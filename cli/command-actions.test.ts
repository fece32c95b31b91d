import { beforeAll, expect, it } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import { deliveryStore } from '#shared/delivery/delivery-store.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { scanItems } from '#support/aws/scan-items.ts';
import { parseCommand, runCommand, runCommandAs } from '#support/command-line.ts';
import { forAllTests } from '#support/for-tests.ts';
import { createProgram, leaves } from './program.ts';
import { openService, type Service } from './service.ts';
import { UsageError } from './terminal/errors.ts';
import { renderJson } from './terminal/render.ts';

let service: Service;

const dynamodb = forAllTests(() => startTestTable());
beforeAll(() => {
  const openUpstream = () => {
    throw new Error('No command here needs the platform.');
  };
  service = openService({ table: dynamodb.table, openUpstream });
});

const json = async (...words: string[]) => JSON.parse(renderJson(await runCommand(service, ...words)));
const noTerminal = async () => undefined;

/** A workspace with its owner, another member with two tokens, and a number for which notifications are held. */
async function prepare() {
  const owner: string = (await json('user', 'create', '--name', 'Ana')).id;
  const user: string = (await json('user', 'create', '--name', 'Bruno')).id;
  const workspace: string = (await json('workspace', 'create', '--name', 'Acme', '--owner', owner, '--waba-id', '7'))
    .id;
  await json('member', 'add', workspace, user);
  const token: string = (await json('token', 'create', '--user', user, '--label', 'CI')).token;
  await json('token', 'create', '--user', user);
  const phoneNumberId = String(Date.now()) + String(Math.random()).slice(2, 8);
  const ids = ['--phone-number-id', phoneNumberId, '--display-phone-number', '+55 11 4000', '--unchecked'];
  const number: string = (await json('number', 'create', '--workspace', workspace, ...ids)).id;
  for (const target of ['webhook', 'webhook', 'calls_webhook']) {
    const held = { task: 'deliver', id: newId(), subscriber: number, target, kind: 'message', payload: { text: '{}' } };
    await deliveryStore(dynamodb.table).hold({ ...held, created_at: Date.now() } as never, Date.now());
  }
  return { owner, user, workspace, token, number };
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

/** A destructive command, and what it says that it would remove. */
const removals: [name: string, words: (prepared: Prepared) => string[], removes: object][] = [
  ['number deactivate', ({ number }) => ['number', 'deactivate', number], { held_notifications: 3 }],
  ['number delete', ({ number }) => ['number', 'delete', number], { webhooks: 0, held_notifications: 3 }],
  [
    'user delete',
    ({ user }) => ['user', 'delete', user],
    { tokens: 2, memberships: 1, webhooks_registered_by_the_user: 0 },
  ],
  [
    'member remove',
    ({ workspace, user }) => ['member', 'remove', workspace, user],
    { memberships: 1, webhooks_registered_by_the_user: 0 },
  ],
  ['token revoke', ({ token }) => ['token', 'revoke', token], { tokens: 1 }],
  [
    'workspace set-waba',
    ({ workspace }) => ['workspace', 'set-waba', workspace, '--none'],
    { business_accounts: 1, flows_that_stay_there: 0 },
  ],
];

/** Everything in the table. */
const snapshot = () => Array.fromAsync(scanItems(dynamodb.table, {}));

it.each(removals)('%s shows what it would remove, and removes it only after a yes', async (_, wordsFor, removes) => {
  const words = wordsFor(await prepare());
  const before = await snapshot();
  const { value, note } = await runCommand(service, ...words, '--dry-run');
  expect(value).toEqual(removes);
  expect(note).toMatch(/Nothing was changed\.$/);

  const attempt = runCommandAs(noTerminal, service, ...words);
  await expect(attempt).rejects.toThrow(UsageError);
  await expect(attempt).rejects.toThrow(/^This .*no terminal.*--yes\.$/);

  const questions: string[] = [];
  const sayNo = async (question: string) => {
    questions.push(question);
    return false;
  };
  expect(await runCommandAs(sayNo, service, ...words)).toMatchObject({
    note: 'Nothing was changed.',
    hasFindings: true,
  });
  expect(questions).toHaveLength(1);
  for (const amount of Object.values(removes)) expect(questions[0]).toContain(`: ${amount}`);
  expect(await snapshot()).toEqual(before);

  await runCommandAs(noTerminal, service, ...words, '--yes');
  expect(await snapshot()).not.toEqual(before);
});

it('a workspace is deleted with the numbers of its members and webhooks shown first', async () => {
  const { id } = await json('workspace', 'create', '--name', 'Empty');
  expect(await json('workspace', 'delete', id, '--dry-run')).toEqual({
    memberships: 0,
    deprecated_flows: 0,
    webhooks: 0,
    held_notifications: 0,
  });
});

it('the removal of a member names the user and the role', async () => {
  const { workspace, user } = await prepare();
  const { note } = await runCommand(service, 'member', 'remove', workspace, user, '--dry-run');
  expect(note).toContain(`This removes Bruno (member) from workspace ${workspace} (Acme).`);
});

it('a command that removes nothing this time does not ask', async () => {
  const { id } = await json('workspace', 'create', '--name', 'New');
  await runCommandAs(noTerminal, service, 'workspace', 'set-waba', id, '--waba-id', '8');
  await runCommandAs(noTerminal, service, 'workspace', 'set-waba', id, '--waba-id', '8');
  await expect(runCommandAs(noTerminal, service, 'workspace', 'set-waba', id, '--waba-id', '9')).rejects.toThrow(
    '--yes',
  );
});

it('every command whose name says that it removes something asks first', async () => {
  const host = { onService: async () => {}, printText: () => {}, printError: () => {} };
  const destructive = leaves(await createProgram({ ...host, program: async () => {}, confirm: noTerminal })).filter(
    (command) => /^(delete|deactivate|remove|revoke|rotate|erase|set-waba)$/.test(command.name()),
  );
  expect(destructive.length).toBeGreaterThan(6);
  for (const command of destructive) {
    const flags = command.options.map(({ long }) => long);
    expect(flags, command.name()).toEqual(expect.arrayContaining(['--yes', '--dry-run']));
  }
  await expect(parseCommand('user', 'list', '--yes')).rejects.toThrow("'--yes'");
});
