import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestTable, type TestTable } from '../../test/support/dynamodb.ts';
import { rotateSecret } from '../deliveries/rotate-secret.ts';
import { newId } from '../ids.ts';
import { type NumberStore, numberStore } from '../storage/numbers.ts';
import { type TargetStore, targetStore } from '../storage/targets.ts';
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

const secrets = (of = workspace) => signingSecrets(of, { numbers, targets, now: () => now });

describe('the secrets that sign for a workspace', () => {
  it('are those of all its active numbers, the previous ones too while they last', async () => {
    const [first, second, inactive] = [await newNumber(), await newNumber(), await newNumber(false)];
    await targets.createSecrets(first, { current: 'a', previous: 'b', previous_valid_until: now + 1 });
    await targets.createSecrets(second, { current: 'c', previous: 'd', previous_valid_until: now });
    await targets.createSecrets(inactive, { current: 'e' });
    expect((await secrets()).toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('are made where there are none, once, however many need them at once', async () => {
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
    const { secret, previousValidUntil } = await rotateSecret(id, { targets, now: () => now });
    expect(previousValidUntil).toBeGreaterThan(now);
    expect(await secrets()).toEqual([secret, made]);
  });

  it('are those of inactive numbers where no other is left', async () => {
    await newNumber(false);
    expect(await secrets()).toHaveLength(1);
  });

  it('are none without a number', async () => {
    expect(await secrets()).toEqual([]);
  });
});
