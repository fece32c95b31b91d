import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { keys } from '#shared/aws/keys.ts';
import type { Table } from '#shared/aws/table.ts';
import { newId } from '#shared/base/ids.ts';
import { awsError } from '#support/aws/aws-error.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { scanItems } from '#support/aws/scan-items.ts';
import { watchTable } from '#support/aws/watch-table.ts';
import { forAllTests } from '#support/for-tests.ts';
import { openBreaker } from '#support/open-breaker.ts';
import { breakerStore } from './breaker-store.ts';
import { type NumberStore, numberStore } from './number-store.ts';
import { type PhoneNumber, builtInTargets as targets } from './subscriber.ts';
import { secretStore, targetStore } from './subscriber-store.ts';

let numbers: NumberStore;

const dynamodb = forAllTests(() => startTestTable());
beforeAll(() => {
  numbers = numberStore(dynamodb.table);
});
afterEach(() => {
  vi.restoreAllMocks();
});

let lastPhoneNumberId = 100_000;

const newNumber = (workspace = newId()): PhoneNumber => ({
  id: newId(),
  workspace,
  phone_number_id: String(++lastPhoneNumberId),
  display_phone_number: '+55 11 4000-0001',
  active: true,
  calling_enabled: false,
  created_at: 1_700_000_000_000,
});

/** The keys of all items in the partitions of these ids, whatever they are for. */
async function keysWith(...ids: string[]) {
  const items = await Array.fromAsync(scanItems(dynamodb.table, {}));
  return items.map(({ pk, sk }) => ({ pk: String(pk), sk })).filter(({ pk }) => ids.includes(pk.replace(/^.*#/, '')));
}

const keysOf = ({ id, phone_number_id }: PhoneNumber) => keysWith(id, phone_number_id);

const keysOfAll = ({ id, phone_number_id }: PhoneNumber) => [
  keys.number(id),
  ...targets.map((target) => keys.target(id, target)),
  keys.secrets(id),
  keys.phoneNumberId(phone_number_id),
];

describe('numbers', () => {
  it('reads a number as it was created', async () => {
    const number = newNumber();
    expect(await numbers.create(number)).toBe(true);
    expect(await numbers.get(number.id)).toEqual(number);
  });

  it('creates a number with its targets and its secret, in one transaction', async () => {
    const number = newNumber();
    const send = vi.spyOn(dynamodb.table.client, 'send');
    await numbers.create(number, 'whsec_mine');
    expect(send.mock.calls.map(([command]) => command)).toEqual([expect.any(TransactWriteCommand)]);
    expect(await keysOf(number)).toHaveLength(6);
    expect(await keysOf(number)).toEqual(expect.arrayContaining(keysOfAll(number)));
    const untouched = { version: 0, breaker: { failures: 0 } };
    expect(await targetStore(dynamodb.table).read(number.id)).toEqual({
      subscriber: number,
      targets: { webhook: untouched, secondary_webhook: untouched, calls_webhook: untouched },
    });
    expect(await secretStore(dynamodb.table).get(number.id)).toEqual({ current: 'whsec_mine' });
  });

  it('creates a secret for each number that is given none', async () => {
    const created = [newNumber(), newNumber()];
    for (const number of created) await numbers.create(number);
    const secrets = await Promise.all(created.map(({ id }) => secretStore(dynamodb.table).get(id)));
    expect(secrets).toEqual(created.map(() => ({ current: expect.stringMatching(/^whsec_.{40,}$/) })));
    expect(secrets[0]?.current).not.toBe(secrets[1]?.current);
  });

  it('assigns an upstream phone number id to one number only, and stores nothing of a second one', async () => {
    const number = newNumber();
    await numbers.create(number);
    const other = { ...newNumber(), phone_number_id: number.phone_number_id };
    expect(await numbers.create(other)).toBe(false);
    expect(await numbers.get(other.id)).toBeUndefined();
    expect(await numbers.listByWorkspace(other.workspace)).toEqual([]);
    expect(await keysWith(other.id)).toEqual([]);
    expect(await targetStore(dynamodb.table).findByPhoneNumberId(number.phone_number_id)).toMatchObject({
      subscriber: number,
    });
  });

  it('keeps the existing number if its id is created a second time', async () => {
    const number = newNumber();
    await numbers.create(number, 'whsec_first');
    await targetStore(dynamodb.table).setUrls(number.id, { webhook: 'https://example.com/hook' });
    const settings = await targetStore(dynamodb.table).read(number.id);
    const again = { ...newNumber(), id: number.id };
    expect(await numbers.create(again, 'whsec_second')).toBe(false);
    expect(await targetStore(dynamodb.table).read(number.id)).toEqual(settings);
    expect(await secretStore(dynamodb.table).get(number.id)).toEqual({ current: 'whsec_first' });
    expect(await targetStore(dynamodb.table).findByPhoneNumberId(again.phone_number_id)).toBeUndefined();
  });

  it('lets one of many concurrent claims of a phone number id win', async () => {
    const { phone_number_id } = newNumber();
    const claims = Array.from({ length: 8 }, () => numbers.create({ ...newNumber(), phone_number_id }));
    expect((await Promise.all(claims)).filter(Boolean)).toEqual([true]);
  });

  it('does not mistake a transaction conflict for a phone number id that is taken', async () => {
    // DynamoDB cancels for this reason, but the engine never does.
    const conflict = awsError('TransactionCanceledException', 'Transaction cancelled', {
      CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
    });
    vi.spyOn(dynamodb.table.client, 'send').mockRejectedValueOnce(conflict);
    await expect(numbers.create(newNumber())).rejects.toBe(conflict);
  });

  it('lists the numbers of one workspace in the order in which they were created', async () => {
    const workspace = newId();
    const [first, second] = [newNumber(workspace), newNumber(workspace)];
    await numbers.create(first);
    await numbers.create(newNumber());
    await numbers.create(second);
    expect(await numbers.listByWorkspace(workspace)).toEqual([first, second]);
  });

  it('activates a number and enables its calling independently', async () => {
    const number = newNumber();
    await numbers.create(number);
    expect(await numbers.set(number.id, { active: false })).toBe(true);
    expect(await numbers.get(number.id)).toEqual({ ...number, active: false });
    expect(await numbers.set(number.id, { calling_enabled: true })).toBe(true);
    expect(await numbers.get(number.id)).toEqual({
      ...number,
      active: false,
      calling_enabled: true,
    });
  });

  it('does not create a number when it changes an unknown one', async () => {
    const unknown = newId();
    expect(await numbers.set(unknown, { active: true })).toBe(false);
    expect(await numbers.get(unknown)).toBeUndefined();
  });
});

/** The same table, whose calls pass through `watch`. */
function watched(watch: Parameters<typeof watchTable>[1]): Table {
  const table: Table = { ...dynamodb.table, client: Object.create(dynamodb.table.client) };
  watchTable(table, watch);
  return table;
}

describe('a number that is deleted', () => {
  /** A number that uses everything that a number can have. */
  async function usedNumber(): Promise<PhoneNumber> {
    const number = newNumber();
    await numbers.create(number);
    await targetStore(dynamodb.table).setUrls(number.id, { webhook: 'https://example.com/hook' });
    await openBreaker(breakerStore(dynamodb.table), number.id, 'webhook', { now: 1 });
    const headers = { origin: 'https://example.com', headers: { 'x-a': '1' } };
    await targetStore(dynamodb.table).changeTarget(number.id, 'webhook', { headers });
    return number;
  }

  it('takes its targets and its secrets with it, and those of no other', async () => {
    const [number, other] = [await usedNumber(), await usedNumber()];
    await numbers.delete(number);
    expect(await keysOf(number)).toEqual([]);
    expect(await keysOf(other)).toEqual(expect.arrayContaining(keysOfAll(other)));
    expect(await targetStore(dynamodb.table).read(number.id)).toBeUndefined();
    expect(await secretStore(dynamodb.table).get(number.id)).toBeUndefined();
    const tripped = await Array.fromAsync(breakerStore(dynamodb.table).listOpenOrDraining());
    expect(tripped.map(({ subscriber }) => subscriber)).not.toContain(number.id);
    expect(tripped.map(({ subscriber }) => subscriber)).toContain(other.id);
  });

  it('frees its phone number id', async () => {
    const number = await usedNumber();
    await numbers.delete(number);
    const next = { ...newNumber(), phone_number_id: number.phone_number_id };
    expect(await numbers.create(next)).toBe(true);
    expect(await targetStore(dynamodb.table).findByPhoneNumberId(next.phone_number_id)).toMatchObject({
      subscriber: next,
    });
  });

  it('stays until everything else is gone, so that a deletion that failed can be repeated', async () => {
    let calls = 0;
    const counted = watched((command, send) => {
      calls++;
      return send(command);
    });
    await numberStore(counted).delete(await usedNumber());
    for (let failing = 0; failing < calls; failing++) {
      const number = await usedNumber();
      let call = 0;
      const broken = watched(async (command, send) => {
        if (call++ === failing) throw new Error('out of order');
        return send(command);
      });
      await expect(numberStore(broken).delete(number)).rejects.toThrow('out of order');
      expect(await numbers.get(number.id)).toEqual(number);
      await numbers.delete(number);
      expect(await keysOf(number)).toEqual([]);
    }
    // Two queries, three targets, the secrets of the number and of a target, the note of events, and the number itself
    // with its phone number id.
    expect(calls).toBe(9);
  });
});
