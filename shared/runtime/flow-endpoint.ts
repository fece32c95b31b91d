import { createPrivateKey, type KeyObject } from 'node:crypto';
import { flowJsonStore } from '#shared/adapters/dynamodb/flow-json.ts';
import { flowStore } from '#shared/adapters/dynamodb/flows.ts';
import type { Table } from '#shared/adapters/dynamodb/table.ts';
import { targetStore } from '#shared/adapters/dynamodb/targets.ts';
import { blobStore } from '#shared/adapters/s3/blobs.ts';
import { flowKeyStore } from '#shared/adapters/secrets-manager/flow-keys.ts';
import type { Clock } from '#shared/base/clock.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';
import type { ExchangeContext } from '#shared/domain/flow-endpoint/exchange.ts';
import { perWorkspace } from '#shared/domain/flow-endpoint/per-workspace.ts';
import type { RelayContext } from '#shared/domain/flow-endpoint/relay.ts';
import { signingSecrets } from '#shared/domain/flow-endpoint/signing-secrets.ts';
import { readWithJson } from '#shared/domain/flows/read-with-json.ts';
import { readOutline } from '#shared/flow-json/reply/outline.ts';
import { outgoingSender } from './egress.ts';
import { requiredEnv } from './env.ts';

const maxAnswerBytes = 1024 * 1024;

/** What exchanges of a deployed function need, by its environment. */
export function exchangeContext(table: Table, now: Clock): ExchangeContext {
  const reader = { flows: flowStore(table), flowJson: flowJsonStore(table, blobStore(requiredEnv('BUCKET_NAME'))) };
  const targets = targetStore(table);

  return {
    sender: outgoingSender({ maxResponseBytes: maxAnswerBytes }),
    timeoutMs: Number(requiredEnv('DELIVERY_TIMEOUT_MS')),
    signingSecrets: (workspace) => signingSecrets(workspace, { targets, now }),
    // An outline of nothing, for a Flow that was deleted since, has nothing that a response could be compared with.
    outlineOf: async (flow) => readOutline(parseJson((await readWithJson(flow, reader))?.text ?? '{}')),
    now,
  };
}

/** For the one function that decrypts what phones send, besides. */
export function relayContext(table: Table, now: Clock): RelayContext {
  const flowKeys = flowKeyStore(requiredEnv('UPSTREAM_SECRET_ID'));

  async function privateKeys(workspace: string): Promise<KeyObject[]> {
    const { keys } = await flowKeys.read(workspace);
    return keys.map(({ private_key }) => createPrivateKey(private_key));
  }

  return { ...exchangeContext(table, now), privateKeys: perWorkspace(privateKeys, now) };
}
