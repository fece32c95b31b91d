import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { requiredEnv } from '../env.ts';
import { readOutline } from '../flow-json/outline.ts';
import { readWithJson } from '../flows/read-with-json.ts';
import { parseJson } from '../json/parse-json.ts';
import { outgoingSender } from '../outgoing/runtime.ts';
import { blobStore } from '../storage/blobs.ts';
import { flowJsonStore } from '../storage/flow-json.ts';
import { flowStore } from '../storage/flows.ts';
import type { Table } from '../storage/table.ts';
import { targetStore } from '../storage/targets.ts';
import { flowKeyStore } from '../upstream/flow-keys.ts';
import type { ExchangeContext } from './exchange.ts';
import { perWorkspace } from './per-workspace.ts';
import type { RelayContext } from './relay.ts';
import { signingSecrets } from './signing-secrets.ts';

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
