import {
  accessTokenFrom,
  type CredentialsOwner,
  credentialsOfWorkspaces,
  credentialsSecret,
  listOwnApps,
  ownSecretId,
  readOwn,
  verifyTokenStore,
} from '#shared/accounts/credentials-store.ts';
import { tokenStore, userStore } from '#shared/accounts/user-store.ts';
import { workspaceStore } from '#shared/accounts/workspace-store.ts';
import { type Bucket, blobStore, listObjects } from '#shared/aws/bucket.ts';
import type { Connection } from '#shared/aws/connection.ts';
import type { StackAlarms } from '#shared/aws/stack.ts';
import type { Table } from '#shared/aws/table.ts';
import { secretsManager } from '#shared/aws/versioned-secret.ts';
import { lazy } from '#shared/base/cache.ts';
import type { Clock } from '#shared/base/time.ts';
import { contactData } from '#shared/contacts/contact-data-store.ts';
import { countHeld } from '#shared/delivery/delivery-list-store.ts';
import { deliveryStore } from '#shared/delivery/delivery-store.ts';
import type { DeadLetters } from '#shared/delivery/notification-queue-store.ts';
import { flowKeyStore } from '#shared/flow-endpoint/flow-key-store.ts';
import { flowJsonStore } from '#shared/flows/flow-json-store.ts';
import { flowStore } from '#shared/flows/flow-store.ts';
import { eventNoteStore } from '#shared/ingestion/event-note-store.ts';
import { numberStore } from '#shared/webhooks/number-store.ts';
import { targetsOf } from '#shared/webhooks/subscriber.ts';
import { targetStore } from '#shared/webhooks/subscriber-store.ts';
import { openManagement } from './platform/management.ts';
import { hintsFor } from './terminal/hints.ts';

/** The service that commands work on, as its table and a way to the platform; tests open only a part of it. */
export interface Target {
  table: Table;
  /** Opens the platform for a workspace or the deployment. */
  openUpstream: (workspace?: CredentialsOwner) => Upstream;
  openBucket?: () => Bucket;
  /** The origin at which callers and the platform reach the service. */
  baseUrl?: string | undefined;
  surroundings?: Surroundings;
}

/** What else is known of the service. */
export interface Surroundings {
  /** How AWS's command line is started for the service; `aws` with the settings of the environment by default. */
  awsCommand?: string;
  /** The command that brings the code of this checkout to the service. */
  deployCommand?: string;
  /** Which code the service runs. */
  codeVersion?: string;
  readDeadLetters?: () => Promise<DeadLetters>;
  /** Only a stage has alarms. */
  readAlarms?: () => Promise<StackAlarms>;
  /** Addresses that the service may connect to although they are not public. */
  allowedCidrs?: string;
}

/** The stores and clients that commands use. */
export type Service = ReturnType<typeof openService>;

export function openService(
  { table, openUpstream, openBucket, baseUrl, surroundings = {} }: Target,
  now: Clock = Date.now,
) {
  const bucket = lazy(() => {
    if (!openBucket) throw new Error('The bucket is unknown');
    return openBucket();
  });
  return {
    workspaces: workspaceStore(table),
    users: userStore(table),
    numbers: numberStore(table),
    targets: targetStore(table),
    eventNotes: eventNoteStore(table, now),
    deliveries: deliveryStore(table),
    async countHeld(subscriber: string) {
      const settings = await targetStore(table).read(subscriber);
      return settings ? countHeld(table, subscriber, targetsOf(settings)) : 0;
    },
    flows: flowStore(table),
    flowJson: lazy(() => flowJsonStore(table, blobStore(bucket()))),
    tokens: tokenStore(table),
    verifyTokens: verifyTokenStore(table),
    /** The workspaces with credentials of their own. */
    listOwnApps: () => listOwnApps(table),
    /** Opens the platform, with the credentials that the workspace uses; without one, with those of the deployment. */
    upstream: openUpstream,
    baseUrl,
    surroundings,
    /** What the service keeps about contacts. */
    contacts: lazy(() => ({
      table: contactData(table),
      bucket: { ...blobStore(bucket()), list: (prefix: string) => listObjects(bucket(), prefix) },
    })),
    now,
    /** Writes commands for this service; commands replace it with one that knows their options. */
    hint: hintsFor({}),
  };
}

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
