import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { KeptResponse, KeyedRequest, KeyedRequestStore } from '#shared/domain/idempotency/keyed-request-store.ts';
import { succeeds, unlessUnmet } from './table/condition.ts';
import { fromItem, required } from './table/item.ts';
import { keys } from './table/keys.ts';
import { heldBy } from './table/lease.ts';
import type { Table } from './table/table.ts';

/**
 * Stores what is known about each `Idempotency-Key`, one item each. A claim is one conditional write, and so is what
 * follows it. An expired item counts as absent.
 */
export function keyedRequestStore(table: Table): KeyedRequestStore {
  const { client, name: TableName } = table;

  const item = (key: string, request: KeyedRequest) => ({
    ...keys.keyedRequest(key),
    ...request,
    expires_at_seconds: Math.ceil(request.expires_at / 1000),
  });

  /** A key that still belongs to this run, because a later run may have taken it over. */
  const ofRun = (key: string, run: string) => ({ TableName, Key: keys.keyedRequest(key), ...heldBy(run) });

  return {
    async claim(key: string, request: KeyedRequest, now: number): Promise<KeyedRequest> {
      const claim = new PutCommand({
        TableName,
        Item: item(key, request),
        ConditionExpression: 'attribute_not_exists(pk) OR expires_at <= :now',
        ExpressionAttributeValues: { ':now': now },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      return unlessUnmet(
        client.send(claim).then(() => request),
        (unmet) => required(fromItem<KeyedRequest>(unmet.item)),
      );
    },

    async takeOver(key: string, request: KeyedRequest, previousRun: string): Promise<boolean> {
      const put = new PutCommand({
        TableName,
        Item: item(key, request),
        // The second alternative holds if the client repeats a write whose response was lost.
        ConditionExpression: '(lease.holder = :previous AND attribute_not_exists(#response)) OR lease.holder = :holder',
        ExpressionAttributeNames: { '#response': 'response' },
        ExpressionAttributeValues: { ':previous': previousRun, ':holder': request.lease.holder },
      });
      return succeeds(client.send(put));
    },

    async keep(key: string, run: string, response: KeptResponse): Promise<void> {
      const { ExpressionAttributeValues, ...target } = ofRun(key, run);
      const keep = new UpdateCommand({
        ...target,
        UpdateExpression: 'SET #response = :response',
        ExpressionAttributeNames: { '#response': 'response' },
        ExpressionAttributeValues: { ...ExpressionAttributeValues, ':response': response },
      });
      await succeeds(client.send(keep));
    },

    async abandon(key: string, run: string): Promise<void> {
      const { ExpressionAttributeValues, ...target } = ofRun(key, run);
      const end = new UpdateCommand({
        ...target,
        UpdateExpression: 'SET lease.#until = :ended',
        ExpressionAttributeNames: { '#until': 'until' },
        ExpressionAttributeValues: { ...ExpressionAttributeValues, ':ended': 0 },
      });
      await succeeds(client.send(end));
    },

    async release(key: string, run: string): Promise<void> {
      await succeeds(client.send(new DeleteCommand(ofRun(key, run))));
    },
  };
}
