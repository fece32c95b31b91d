import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it, vi } from 'vitest';
import { keys } from '#shared/aws/keys.ts';
import { newId } from '#shared/base/ids.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { forAllTests } from '#support/for-tests.ts';
import { Stream } from './stream.ts';
import { TableWatch } from './table-watch.ts';

const dynamodb = forAllTests(() => startTestTable());

it('tells a page about a Flow once it is stored, however early its write was seen', async () => {
  const { client, name: TableName } = dynamodb.table;
  const workspace = newId();
  const { pk, sk } = keys.flow(workspace, newId());
  const store = (updated_at: number) =>
    client.send(new PutCommand({ TableName, Item: { pk, sk, id: sk, status: 'DRAFT', updated_at } }));
  const stream = new Stream();
  const publish = vi.spyOn(stream, 'publish');
  vi.spyOn(stream, 'isWatched', 'get').mockReturnValue(true);
  const watch = new TableWatch(dynamodb.table, stream);
  const told = () => publish.mock.calls.map(([topic, key, value]) => ({ topic, key, value }));
  const change = (updated_at: number) => ({
    topic: 'stored-flows',
    key: workspace,
    value: [{ id: sk, status: 'DRAFT', updated_at }],
  });
  await watch.read();
  await store(1);
  watch.writing([pk]);
  await expect.poll(told).toEqual([change(1)]);

  await store(2);
  watch.functionEnded();
  await expect.poll(told).toEqual([change(1), change(2)]);
  watch.functionEnded();
  await watch.read();
  expect(told()).toHaveLength(2);
  watch.close();
  stream.close();
});
