import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Table } from '#shared/aws/table.ts';
import { newId } from '#shared/base/ids.ts';
import { type NumberStore, numberStore } from '#shared/webhooks/number-store.ts';
import { type SecretStore, secretStore } from '#shared/webhooks/subscriber-store.ts';
import type { SigningSecrets } from '#shared/webhooks/webhook-signature.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { forAllTests } from '#support/for-tests.ts';
import { signingSecrets } from './make-exchange.ts';

const now = Date.UTC(2026, 0, 31);

let numbers: NumberStore;
let secrets: SecretStore;
let workspace: string;

const dynamodb = forAllTests(() => startTestTable());
beforeAll(() => {
  numbers = numberStore(dynamodb.table);
  secrets = secretStore(dynamodb.table);
});
beforeEach(() => {
  workspace = newId();
});

async function newNumber(active = true, signing?: SigningSecrets): Promise<string> {
  const id = newId();
  const kept = { id, workspace, phone_number_id: newId(), display_phone_number: '+1 555 0100' };
  await numbers.create({ ...kept, active, calling_enabled: false, created_at: now }, signing?.current);
  if (signing?.replaced) await secrets.replace({ id, workspace }, signing.current, signing);
  return id;
}

/** The same table, which records the names of the commands that it gets. */
function watch(table: Table, commands: string[]): Table {
  const { client } = table;
  const send = (command: Parameters<typeof client.send>[0]) => {
    commands.push(command.constructor.name);
    return client.send(command);
  };
  return { ...table, client: Object.assign(Object.create(client), { send }) };
}

const signing = () => signingSecrets(workspace, { secrets, now: () => now });

describe('the secrets that sign for a workspace', () => {
  it('belong to all its active numbers, and include previous ones while they are valid', async () => {
    await newNumber(true, { current: 'a', replaced: [{ secret: 'b', valid_until: now + 1 }] });
    await newNumber(true, { current: 'c', replaced: [{ secret: 'd', valid_until: now }] });
    await newNumber(false, { current: 'e' });
    expect((await signing()).toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('belong to inactive numbers if no active number is left', async () => {
    await newNumber(false, { current: 'a' });
    expect(await signing()).toEqual(['a']);
  });

  it('are read in one query and one batch, however many numbers there are', async () => {
    const secrets = Array.from({ length: 30 }, (_, index) => `secret ${index}`);
    await Promise.all(secrets.map((current) => newNumber(true, { current })));
    const commands: string[] = [];
    const watched = watch(dynamodb.table, commands);
    const found = await signingSecrets(workspace, { secrets: secretStore(watched), now: () => now });
    expect(commands).toEqual(['QueryCommand', 'BatchGetCommand']);
    expect(found).toHaveLength(20);
    expect(new Set(found).size).toBe(20);
    expect(secrets).toEqual(expect.arrayContaining(found));
  });

  it('include the secrets of active numbers that come after many inactive ones', async () => {
    await Promise.all(Array.from({ length: 60 }, () => newNumber(false)));
    await newNumber(true, { current: 'a' });
    expect(await signing()).toEqual(['a']);
  });

  it('do not exist without a number', async () => {
    expect(await signing()).toEqual([]);
  });
});
