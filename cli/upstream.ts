import { type UpstreamEncryption, upstreamEncryption } from '#shared/adapters/graph/encryption.ts';
import { graphClient } from '#shared/adapters/graph/graph-client.ts';
import { type SecretsConnection, secretsManager } from '#shared/adapters/secrets-manager/client.ts';
import { accessTokenFrom, credentialsReader } from '#shared/adapters/secrets-manager/credentials.ts';
import { type FlowKeyStore, flowKeyStore } from '#shared/adapters/secrets-manager/flow-keys.ts';

/** What commands about keys work on besides the table. */
export interface Upstream {
  flowKeys: FlowKeyStore;
  encryption: UpstreamEncryption;
}

export interface UpstreamPlace {
  /** Name of the secret with the platform's credentials. */
  secretId: string;
  /** Of Graph, without version. */
  baseUrl: string;
  graphVersion: string;
  /** To Secrets Manager; by the AWS environment where it says nothing. */
  connection?: SecretsConnection;
}

/** One command has this long for all that it asks the upstream. */
const budgetMs = 60_000;
const callTimeoutMs = 10_000;

export function openUpstream({ secretId, baseUrl, graphVersion: version, connection }: UpstreamPlace): Upstream {
  const connect = () => secretsManager(connection);
  const accessToken = accessTokenFrom(credentialsReader(secretId, Date.now, connect));
  const settings = { baseUrl, version, timeoutMs: callTimeoutMs };
  return {
    flowKeys: flowKeyStore(secretId, connect),
    encryption: upstreamEncryption(graphClient(settings, accessToken, Date.now() + budgetMs, Date.now)),
  };
}
