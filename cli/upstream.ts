import type { Connection } from '#shared/adapters/aws-sdk/connection.ts';
import { upstreamEncryption } from '#shared/adapters/graph/encryption.ts';
import { graphClient } from '#shared/adapters/graph/graph-client.ts';
import { secretsManager } from '#shared/adapters/secrets-manager/client.ts';
import { accessTokenFrom, credentialsReader } from '#shared/adapters/secrets-manager/credentials.ts';
import { flowKeyStore } from '#shared/adapters/secrets-manager/flow-keys.ts';
import { minuteMs } from '#shared/base/time/duration.ts';
import type { CredentialsReader } from '#shared/domain/access/upstream-credentials.ts';
import type { FlowKeyStore } from '#shared/domain/flow-keys/flow-key-store.ts';
import type { UpstreamEncryption } from '#shared/domain/flow-keys/upstream-encryption.ts';
import { type Management, openManagement } from './platform/management.ts';

/** What commands about the platform use in addition to the table. */
export interface Upstream {
  flowKeys: FlowKeyStore;
  encryption: UpstreamEncryption;
  management: Management;
  credentials: CredentialsReader;
  /** Base URL of the platform. */
  baseUrl: string;
}

export interface UpstreamPlace {
  /** Name of the secret with the platform's credentials. */
  secretId: string;
  /** Base URL of Graph, without the version. */
  baseUrl: string;
  graphVersion: string;
  /** How to reach Secrets Manager. */
  connection: Connection;
}

/** The time that one command has for all its calls to the platform. */
const budgetMs = minuteMs;
const callTimeoutMs = 10_000;

export function openUpstream({ secretId, baseUrl, graphVersion: version, connection }: UpstreamPlace): Upstream {
  const secrets = secretsManager(connection);
  const credentials = credentialsReader(secretId, Date.now, secrets);
  const accessToken = accessTokenFrom(credentials);
  const settings = { baseUrl, version, timeoutMs: callTimeoutMs };
  return {
    flowKeys: flowKeyStore(secretId, secrets),
    encryption: upstreamEncryption(graphClient(settings, accessToken, Date.now() + budgetMs, Date.now)),
    management: openManagement({ baseUrl, graphVersion: version, accessToken, now: Date.now }),
    credentials,
    baseUrl,
  };
}
