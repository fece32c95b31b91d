import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { numberStore } from '#shared/adapters/dynamodb/numbers.ts';
import type { Table } from '#shared/adapters/dynamodb/table.ts';
import { targetStore } from '#shared/adapters/dynamodb/targets.ts';
import { newId } from '#shared/base/ids.ts';
import { startTestTable, type TestTable } from '#test/support/dynamodb.ts';
import type { NumberStore } from '../accounts/number-store.ts';
import { rotateSecret } from '../deliveries/rotate-secret.ts';
import type { TargetStore } from '../deliveries/target-store.ts';
import { signingSecrets } from './signing-secrets.ts';

const now = Date.UTC(2026, 0, 31);

let dynamodb: TestTable;
let numbers: NumberStore;
let targets: TargetStore;
let workspace: string;

beforeAll(async () => {
  dynamodb = await startTestTable();
  numbers = numberStore(dynamodb.table);
  targets = targetStore(dynamodb.table);
});
afterAll(() => dynamodb.close());
beforeEach(() => {
  workspace = newId();
});

async function newNumber(active = true): Promise<string> {
  const id = newId();
  const kept = { id, workspace, phone_number_id: newId(), display_phone_number: '+1 555 0100' };
  await numbers.create({ ...kept, active, calling_enabled: false, created_at: now });
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

const secrets = (of = workspace) => signingSecrets(of, { targets, now: () => now });

describe('the secrets that sign for a workspace', () => {
  it('are those of all its active numbers, including previous ones while they are valid', async () => {
    const [first, second, inactive] = [await newNumber(), await newNumber(), await newNumber(false)];
    await targets.createSecrets(first, { current: 'a', replaced: [{ secret: 'b', valid_until: now + 1 }] });
    await targets.createSecrets(second, { current: 'c', replaced: [{ secret: 'd', valid_until: now }] });
    await targets.createSecrets(inactive, { current: 'e' });
    expect((await secrets()).toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('are created once if there are none, however many requests need them at once', async () => {
    const [first] = [await newNumber(), await newNumber()];
    const asked = await Promise.all(Array.from({ length: 10 }, () => secrets()));
    expect(new Set(asked.flat()).size).toBe(1);
    expect(asked[0]).toEqual([expect.stringMatching(/^whsec_/)]);
    expect(await targets.getSecrets(first)).toEqual({ current: asked[0]?.[0] });
    expect(await secrets()).toEqual(asked[0]);
  });

  it('can be replaced by the number’s user like any other, with the overlap', async () => {
    const id = await newNumber();
    const [made] = await secrets();
    const { secret, previousValidUntil } = await rotateSecret({ id, workspace }, { targets, now: () => now });
    expect(previousValidUntil).toBeGreaterThan(now);
    expect(await secrets()).toEqual([secret, made]);
  });

  it('are those of inactive numbers if no active number is left', async () => {
    await newNumber(false);
    expect(await secrets()).toHaveLength(1);
  });

  it('are read in one query and one batch, however many numbers there are', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, () => newNumber()));
    await Promise.all(ids.map((id) => targets.createSecrets(id, { current: id })));
    const commands: string[] = [];
    const watched = watch(dynamodb.table, commands);
    const found = await signingSecrets(workspace, { targets: targetStore(watched), now: () => now });
    expect(commands).toEqual(['QueryCommand', 'BatchGetCommand']);
    expect(found).toHaveLength(20);
    expect(found.every((secret) => ids.includes(secret))).toBe(true);
  });

  it('include those of active numbers that come after many inactive ones', async () => {
    await Promise.all(Array.from({ length: 60 }, () => newNumber(false)));
    const last = await newNumber();
    await targets.createSecrets(last, { current: 'a' });
    expect(await secrets()).toEqual(['a']);
  });

  it('do not exist without a number', async () => {
    expect(await secrets()).toEqual([]);
  });
});
