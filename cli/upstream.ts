import type { Connection } from '#shared/adapters/aws-sdk/connection.ts';
import { secretsManager } from '#shared/adapters/secrets-manager/client.ts';
import {
  accessTokenFrom,
  credentialsOfWorkspaces,
  ownSecretId,
  readOwn,
} from '#shared/adapters/secrets-manager/credentials.ts';
import { flowKeyStore } from '#shared/adapters/secrets-manager/flow-keys.ts';
import { type CredentialsSecret, credentialsSecret } from '#shared/adapters/secrets-manager/stored-credentials.ts';
import type { CredentialsOwner, CredentialsReader } from '#shared/domain/access/upstream-credentials.ts';
import type { FlowKeyStore } from '#shared/domain/flow-keys/flow-key-store.ts';
import type { UpstreamEncryption } from '#shared/domain/flow-keys/upstream-encryption.ts';
import { type Management, openManagement } from './platform/management.ts';

/**
 * What commands about the platform use in addition to the table: for one workspace, with the credentials that it uses,
 * or for the deployment.
 */
export interface Upstream {
  flowKeys: FlowKeyStore;
  encryption: UpstreamEncryption;
  management: Management;
  /** @throws MalformedCredentials */
  credentials: CredentialsReader;
  /** The secret with the workspace's own credentials, or that of the deployment. */
  secret: CredentialsSecret;
  /** Uses an access token that is not stored. */
  managementWith: (accessToken: string) => Management;
  /** Base URL of the platform. */
  baseUrl: string;
  /** Such as `v25.0`. */
  graphVersion: string;
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

export function openUpstream(
  { secretId, baseUrl, graphVersion, connection }: UpstreamPlace,
  workspace?: CredentialsOwner,
): Upstream {
  const secrets = secretsManager(connection);
  const credentials = credentialsOfWorkspaces(secretId, Date.now, secrets, readOwn)(workspace);
  const accessToken = accessTokenFrom(credentials, workspace?.own_credentials ? workspace.id : undefined);
  const managementAs = (token: () => Promise<string>) =>
    openManagement({ baseUrl, graphVersion, accessToken: token, now: Date.now });
  const management = managementAs(accessToken);
  return {
    graphVersion,
    flowKeys: flowKeyStore(secretId, secrets),
    encryption: management.encryption,
    management,
    managementWith: (token) => managementAs(async () => token),
    credentials,
    secret: credentialsSecret(secrets, workspace === undefined ? secretId : ownSecretId(secretId, workspace.id)),
    baseUrl,
  };
}
