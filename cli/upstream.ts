import {
  accessTokenFrom,
  credentialsOfWorkspaces,
  credentialsSecret,
  ownSecretId,
  readOwn,
} from '#shared/accounts/credentials-store.ts';
import type { CredentialsOwner } from '#shared/accounts/upstream-credentials.ts';
import type { Connection } from '#shared/aws/connection.ts';
import { secretsManager } from '#shared/aws/versioned-secret.ts';
import { flowKeyStore } from '#shared/flow-endpoint/flow-key-store.ts';
import { openManagement } from './platform/management.ts';

/** What commands about the platform use in addition to the table. */
export type Upstream = ReturnType<typeof openUpstream>;

export interface UpstreamPlace {
  /** Name of the secret with the platform's credentials. */
  secretId: string;
  /** Base URL of Graph, without the version. */
  baseUrl: string;
  graphVersion: string;
  /** How to reach Secrets Manager. */
  connection: Connection;
}

/** Opens the platform for a workspace, with the credentials that it uses, or for the deployment. */
export function openUpstream(
  { secretId, baseUrl, graphVersion, connection }: UpstreamPlace,
  workspace?: CredentialsOwner,
) {
  const secrets = secretsManager(connection);
  /** @throws MalformedCredentials */
  const credentials = credentialsOfWorkspaces(secretId, Date.now, secrets, readOwn)(workspace);
  const accessToken = accessTokenFrom(credentials, workspace?.own_credentials ? workspace.id : undefined);
  const managementAs = (token: () => Promise<string>) =>
    openManagement({ baseUrl, graphVersion, accessToken: token, now: Date.now });
  const management = managementAs(accessToken);
  return {
    /** Base URL of the platform. */
    baseUrl,
    /** Such as `v25.0`. */
    graphVersion,
    credentials,
    management,
    /** Uses an access token that is not stored. */
    managementWith: (token: string) => managementAs(async () => token),
    encryption: management.encryption,
    flowKeys: flowKeyStore(secretId, secrets),
    /** The secret with the workspace's own credentials, or that of the deployment. */
    secret: credentialsSecret(secrets, workspace === undefined ? secretId : ownSecretId(secretId, workspace.id)),
  };
}
