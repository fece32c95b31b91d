import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { requiredEnv } from '../env.ts';
import type { LiveFlow } from '../flows/flow.ts';
import { outgoingAllowList } from '../outgoing/allow-list.ts';
import { createSender } from '../outgoing/send.ts';
import { blobStore } from '../storage/blobs.ts';
import { flowJsonStore } from '../storage/flow-json.ts';
import { numberStore } from '../storage/numbers.ts';
import type { Table } from '../storage/table.ts';
import { targetStore } from '../storage/targets.ts';
import { flowKeyStore } from '../upstream/flow-keys.ts';
import type { ExchangeContext } from './exchange.ts';
import { perWorkspace } from './per-workspace.ts';
import { readScreens } from './screens.ts';
import { signingSecrets } from './signing-secrets.ts';

/** The upstream waits 10 s in all. */
const longestMs = 8_000;

const maxAnswerBytes = 1024 * 1024;
const secretsKeptMs = 10_000;

/** What exchanges of a deployed function need, by its environment. */
export function exchangeContext(table: Table, now: Clock): ExchangeContext {
  const flowKeys = flowKeyStore(requiredEnv('UPSTREAM_SECRET_ID'));
  const flowJson = flowJsonStore(blobStore(requiredEnv('BUCKET_NAME')));
  const stores = { numbers: numberStore(table), targets: targetStore(table), now };
  const secretsOf = perWorkspace((workspace) => signingSecrets(workspace, stores), now);

  async function privateKeys(workspace: string): Promise<KeyObject[]> {
    const { keys } = await flowKeys.read(workspace);
    return keys.map(({ private_key }) => createPrivateKey(private_key));
  }

  return {
    sender: createSender({ allowList: outgoingAllowList, maxResponseBytes: maxAnswerBytes }),
    timeoutMs: Math.min(longestMs, Number(requiredEnv('DELIVERY_TIMEOUT_MS'))),
    signingSecrets: (workspace) => secretsOf(workspace, secretsKeptMs),
    privateKeys: perWorkspace(privateKeys, now),
    screensOf: async ({ json }: LiveFlow) => readScreens((await flowJson.read(json)) ?? '{}'),
    now,
  };
}
