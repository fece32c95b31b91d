import { describe, expect, it } from 'vitest';
import { keys } from '#shared/aws/keys.ts';
import type { Table } from '#shared/aws/table.ts';
import { newId } from '#shared/base/ids.ts';
import { deliveryStore } from '#shared/delivery/delivery-store.ts';
import type { FirstAttempt } from '#shared/delivery/notification.ts';
import { notificationQueue } from '#shared/delivery/notification-queue-store.ts';
import { secretStore, targetStore } from '#shared/webhooks/subscriber-store.ts';
import { batchToQueue, claim, numberIdRead, record, secretsRead, settingsQuery } from './calls.ts';

const [number, phoneNumberId, TableName] = [newId(), '100000000000001', 'Table'];
const now = Date.now();
const message: FirstAttempt = {
  ...{ task: 'deliver', subscriber: number, target: 'webhook', id: newId(), kind: 'message', payload: { text: '{}' } },
  ...{ created_at: now, target_version: 1 },
};
const lease = { holder: newId(), until: now + 15_000 };
const attempt = { at: now, duration_ms: 2, status: 200 };

/** Records what is sent to a service that responds with `output`. */
function recording(output: object = {}) {
  const inputs: unknown[] = [];
  const client = {
    async send({ input }: { input: unknown }) {
      inputs.push(input);
      return output;
    },
    destroy() {},
  };
  return { inputs, client: client as unknown as Table['client'] };
}

const inputsOf = async (output: object, work: (table: Table) => Promise<unknown>) => {
  const { inputs, client } = recording(output);
  await work({ client, name: TableName });
  return inputs;
};

describe('the bare loop', () => {
  it('reads the settings of a number as ingestion does', async () => {
    const read = async (table: Table) => {
      const { findByPhoneNumberId } = targetStore(table);
      await findByPhoneNumberId(phoneNumberId);
      await findByPhoneNumberId(phoneNumberId);
    };
    const Items = [{ ...keys.number(number), id: number, phone_number_id: phoneNumberId }];
    expect(await inputsOf({ Item: { number }, Items }, read)).toEqual([
      numberIdRead(TableName, phoneNumberId),
      settingsQuery(TableName, number),
      settingsQuery(TableName, number),
    ]);
  });

  it('queues notifications as ingestion does', async () => {
    const { inputs, client } = recording();
    const queue = notificationQueue('queue', client as never);
    await queue.send([{ message }, { message }]);
    expect(inputs).toEqual([batchToQueue('queue', [message, message])]);
  });

  it('reads settings as a delivery process does', async () => {
    expect(await inputsOf({}, (table) => targetStore(table).read(number))).toEqual([settingsQuery(TableName, number)]);
  });

  it('reads secrets as a delivery process does', async () => {
    expect(await inputsOf({}, (table) => secretStore(table).get(number))).toEqual([secretsRead(TableName, number)]);
  });

  it('writes a delivery as a delivery process does', async () => {
    const deliver = async (table: Table) => {
      const { claimFirst, record } = deliveryStore(table);
      const { claimed } = await claimFirst(message, lease, now);
      if (claimed) await record(claimed, { state: 'delivered', attempt, attempt_count: 1 });
    };
    expect(await inputsOf({}, deliver)).toEqual([
      claim(TableName, message, lease),
      record(TableName, message, lease, attempt),
    ]);
  });
});
