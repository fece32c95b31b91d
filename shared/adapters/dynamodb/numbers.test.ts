import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newId } from '#shared/base/ids.ts';
import type { PhoneNumber } from '#shared/domain/accounts/number.ts';
import type { NumberStore } from '#shared/domain/accounts/number-store.ts';
import { awsError } from '#support/aws-error.ts';
import { startTestTable, type TestTable } from '#test/support/dynamodb.ts';
import { numberStore } from './numbers.ts';

let dynamodb: TestTable;
let numbers: NumberStore;

beforeAll(async () => {
  dynamodb = await startTestTable();
  numbers = numberStore(dynamodb.table);
});
afterAll(() => dynamodb.close());

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

describe('numbers', () => {
  it('reads a number as it was created', async () => {
    const number = newNumber();
    expect(await numbers.create(number)).toBe(true);
    expect(await numbers.get(number.id)).toEqual(number);
  });

  it('assigns an upstream phone number id to one number only, and stores nothing of a second one', async () => {
    const number = newNumber();
    await numbers.create(number);
    const other = { ...newNumber(), phone_number_id: number.phone_number_id };
    expect(await numbers.create(other)).toBe(false);
    expect(await numbers.get(other.id)).toBeUndefined();
    expect(await numbers.listByWorkspace(other.workspace)).toEqual([]);
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
    expect(await numbers.get(number.id)).toEqual({ ...number, active: false, settings_version: 1 });
    expect(await numbers.set(number.id, { calling_enabled: true })).toBe(true);
    expect(await numbers.get(number.id)).toEqual({
      ...number,
      active: false,
      calling_enabled: true,
      settings_version: 2,
    });
  });

  it('does not create a number when it changes an unknown one', async () => {
    const unknown = newId();
    expect(await numbers.set(unknown, { active: true })).toBe(false);
    expect(await numbers.get(unknown)).toBeUndefined();
  });
});
