import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { keys } from '#shared/aws/keys.ts';
import { fromItem, required, type Table } from '#shared/aws/table.ts';
import { assign, heldBy, onCondition, succeeds, unlessUnmet } from '#shared/aws/write.ts';
import type { Lease } from '#shared/base/time-limits.ts';

/** A response as it is kept for replay. */
export interface KeptResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Absent if the response has none. */
  body?: string;
}

/** What is known about the requests with one `Idempotency-Key`. */
export interface KeyedRequest {
  /** The hash of their body. */
  body: string;
  /** The number or the workspace that their path names, so that an erasure knows where the response belongs. */
  subscriber?: string | undefined;
  /** That of the latest run. */
  lease: Lease;
  /** The runs before that one. */
  earlier: readonly string[];
  /** The final response, once there is one. */
  response?: KeptResponse;
  /** When the key is free again (epoch milliseconds). */
  expires_at: number;
}

export type KeyedRequestStore = ReturnType<typeof keyedRequestStore>;

/**
 * Stores what is known about each `Idempotency-Key`, one item each. A claim is one conditional write, and so is what
 * follows it. An expired item counts as absent.
 */
export function keyedRequestStore(table: Table) {
  const { client, name: TableName } = table;

  const item = (key: string, request: KeyedRequest) => ({
    ...keys.keyedRequest(key),
    ...request,
    expires_at_seconds: Math.ceil(request.expires_at / 1000),
  });

  /** Changes attributes of a key that still belongs to this run, because a later run may have taken it over. */
  async function update(key: string, run: string, attributes: Readonly<Record<string, unknown>>): Promise<void> {
    const change = onCondition(assign(attributes), heldBy(run));
    await succeeds(client.send(new UpdateCommand({ TableName, Key: keys.keyedRequest(key), ...change })));
  }

  return {
    /** Claims the key if it is free. Resolves with what is stored: `request`, or what another request has stored. */
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

    /** Replaces a run that has ended without a response. Resolves with `false` if another request was faster. */
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

    keep: (key: string, run: string, response: KeptResponse) => update(key, run, { response }),

    /** Ends the run without a response, because its outcome is unknown. */
    abandon: (key: string, run: string) => update(key, run, { 'lease.until': 0 }),

    async release(key: string, run: string): Promise<void> {
      await succeeds(client.send(new DeleteCommand({ TableName, Key: keys.keyedRequest(key), ...heldBy(run) })));
    },
  };
}
