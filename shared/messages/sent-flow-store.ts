import { randomInt } from 'node:crypto';
import { DeleteCommand, TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { hashToken } from '#shared/accounts/token.ts';
import { funnelShards, keys } from '#shared/aws/keys.ts';
import { batchGet, getRecord, type Table } from '#shared/aws/table.ts';
import { assign, createItem, onCondition, succeeds, unlessCanceled } from '#shared/aws/write.ts';
import {
  type CountedStage,
  type FunnelChange,
  type FunnelCounts,
  keptUntil,
  type Progress,
  type SentFlow,
} from './sent-flow.ts';

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** The attribute of a funnel's item that counts the contacts on a screen. No other attribute contains a colon. */
const screenPrefix = 'screen:';

export type SentFlowStore = ReturnType<typeof sentFlowStore>;

/**
 * Stores the Flows that were sent, and counts them. A step changes the record of a sent Flow and a funnel's item in one
 * transaction, on the condition that the record is as it was read. Any of the items may take the count, so a busy one
 * is avoided at the next try.
 */
export function sentFlowStore(table: Table) {
  const { client, name: TableName } = table;

  function recordUpdate(sent: SentFlow, { record }: Progress): Write {
    const removed = sent.screen !== undefined && record.screen === undefined ? ['screen'] : [];
    const update = onCondition(assign({ ...record, revision: sent.revision + 1 }, removed), {
      ConditionExpression: '#revision = :read',
      ExpressionAttributeValues: { ':read': sent.revision },
    });
    return { Update: { TableName, Key: keys.sentFlow(sent.token_hash), ...update } };
  }

  /** Leads from the message to its sent Flow, once the message is known. */
  function messageEntry(sent: SentFlow, { record: { message } }: Progress): Write[] {
    if (message === undefined || message === sent.message) return [];
    const update = assign({ token_hash: sent.token_hash, ...expiryOf(sent) });
    return [{ Update: { TableName, Key: keyOfMessage(message), ...update } }];
  }

  const find = (tokenHash: string) => getRecord<SentFlow>(table, keys.sentFlow(tokenHash));

  return {
    create(sent: SentFlow): Promise<void> {
      return createItem(table, { ...keys.sentFlow(sent.token_hash), ...sent, ...expiryOf(sent) });
    },

    find,

    /** Finds a sent Flow by the upstream's id of the message that sent it. */
    async findByMessage(message: string): Promise<SentFlow | undefined> {
      const entry = await getRecord<Pick<SentFlow, 'token_hash'>>(table, keyOfMessage(message));
      return entry && find(entry.token_hash);
    },

    async remove(tokenHash: string): Promise<void> {
      const removal = new DeleteCommand({
        TableName,
        Key: keys.sentFlow(tokenHash),
        ConditionExpression: 'stage = :prepared',
        ExpressionAttributeValues: { ':prepared': 'prepared' },
      });
      await succeeds(client.send(removal));
    },

    /**
     * Changes the record and the counts of its Flow, both or neither. Resolves with `false` if the record has changed
     * since it was read, or if other writes were in the way.
     */
    advance(sent: SentFlow, progress: Progress): Promise<boolean> {
      const counts = additions(progress.counts);
      const shard = randomInt(funnelShards);
      const count = counts.length > 0 ? [addTo(TableName, keys.funnel(sent.flow, shard), counts)] : [];
      const write = client.send(
        new TransactWriteCommand({
          TransactItems: [recordUpdate(sent, progress), ...count, ...messageEntry(sent, progress)],
        }),
      );
      return unlessCanceled(write, ['ConditionalCheckFailed', 'TransactionConflict']);
    },

    async readFunnel(flow: string): Promise<FunnelCounts> {
      const shards = Array.from({ length: funnelShards }, (_, shard) => keys.funnel(flow, shard));
      return sumOf(await batchGet(table, shards));
    },
  };
}

const expiryOf = (sent: SentFlow) => ({ expires_at_seconds: Math.ceil(keptUntil(sent) / 1000) });

/** Ids of messages have characters that keys do not. */
const keyOfMessage = (message: string) => keys.messageOfSentFlow(hashToken(message));

type Addition = readonly [attribute: string, amount: number];

function additions({ stages, screens }: FunnelChange): Addition[] {
  return [
    ...stages.map((stage): Addition => [stage, 1]),
    ...Object.entries(screens).map(([screen, amount]): Addition => [screenPrefix + screen, amount]),
  ];
}

function addTo(TableName: string, Key: ReturnType<typeof keys.funnel>, counts: readonly Addition[]): Write {
  return {
    Update: {
      TableName,
      Key,
      UpdateExpression: `ADD ${counts.map((_, index) => `#name${index} :amount${index}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(counts.map(([attribute], index) => [`#name${index}`, attribute])),
      ExpressionAttributeValues: Object.fromEntries(counts.map(([, amount], index) => [`:amount${index}`, amount])),
    },
  };
}

/** One item may have fewer than no contacts on a screen, because another one counted their arrival. */
function sumOf(items: readonly Record<string, unknown>[]): FunnelCounts {
  const totals = new Map<string, number>();
  for (const [attribute, amount] of items.flatMap(Object.entries)) {
    if (typeof amount === 'number') totals.set(attribute, (totals.get(attribute) ?? 0) + amount);
  }
  const screens = [...totals].flatMap(([attribute, total]): [string, number][] =>
    attribute.startsWith(screenPrefix) && total > 0 ? [[attribute.slice(screenPrefix.length), total]] : [],
  );
  const total = (stage: CountedStage) => totals.get(stage) ?? 0;
  return { sent: total('sent'), opened: total('opened'), completed: total('completed'), screens: new Map(screens) };
}
