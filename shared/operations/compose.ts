import {
  accessTokenFrom,
  type CredentialsOwner,
  credentialsOfWorkspaces,
  ownAppsReader,
} from '#shared/accounts/credentials-store.ts';
import type { SignatureContext } from '#shared/accounts/event-signature.ts';
import type { Workspace } from '#shared/accounts/workspace.ts';
import { openBucket } from '#shared/aws/bucket.ts';
import { connectionFrom } from '#shared/aws/connection.ts';
import { openTable } from '#shared/aws/table.ts';
import { secretsManager } from '#shared/aws/versioned-secret.ts';
import { lazy } from '#shared/base/cache.ts';
import { addMark, markOf } from '#shared/base/mark.ts';
import { notificationQueue, queueClient } from '#shared/delivery/notification-queue-store.ts';
import { parseAllowList, parseOwnAddresses } from '#shared/egress/url-rules.ts';
import { type GraphClient, type GraphSettings, graphClient } from '#shared/graph/graph-client.ts';
import type { ErrorSubject } from '#shared/graph/graph-error.ts';
import { keyedRequestStore } from '#shared/idempotency/keyed-request-store.ts';
import { bucketLink } from '#shared/media/media-bucket-store.ts';
import { accessReader } from './access-store.ts';
import type { Environment } from './contract.ts';
import { keyedRequests as runsWithKey } from './keyed-request.ts';

// What operations of several subjects depend on. A process opens each client once.

export const table = /* @__PURE__ */ lazy((environment: Environment<'table'>) =>
  openTable(environment.TABLE_NAME, connectionFrom(environment, 'dynamodb')),
);

export const bucket = /* @__PURE__ */ lazy((environment: Environment<'bucket'>) =>
  openBucket(environment.BUCKET_NAME, connectionFrom(environment, 's3')),
);

/** Creates links to files of the bucket. */
export const link = (environment: Environment<'bucket'>) => bucketLink(bucket(environment));

export const sqs = /* @__PURE__ */ lazy((environment: Environment<'queue'>) =>
  queueClient(connectionFrom(environment, 'sqs')),
);

export const queue = /* @__PURE__ */ lazy((environment: Environment<'queue'>) =>
  notificationQueue(environment.QUEUE_URL, sqs(environment)),
);

export const secretsClient = /* @__PURE__ */ lazy((environment: Environment<'credentials'>) =>
  secretsManager(connectionFrom(environment, 'secretsmanager')),
);

/** The upstream's credentials, of the deployment and of workspaces. */
export const credentialsOf = /* @__PURE__ */ lazy((environment: Environment<'credentials'>) =>
  credentialsOfWorkspaces(environment.UPSTREAM_SECRET_ID, Date.now, secretsClient(environment)),
);

/** Tells who signed a request of the upstream. */
export const signatures = (environment: Environment<'table' | 'credentials'>): SignatureContext => ({
  credentialsOf: credentialsOf(environment),
  ownApps: ownAppsReader(table(environment), Date.now),
});

/** From which hosts the platform's files come. */
export const mediaHosts = (environment: Environment<'mediaHosts'>) => ({
  baseUrl: environment.UPSTREAM_BASE_URL,
  hosts: environment.UPSTREAM_MEDIA_HOSTS.split(','),
});

/** The upstream: its address, its credentials, and the headers that all our requests to it carry. */
export const upstream = (environment: Environment<'upstream'>) => {
  const ofWorkspace = credentialsOf(environment);
  const accessTokenOf = (workspace: CredentialsOwner) => accessTokenFrom(ofWorkspace(workspace));
  const headers = addMark({}, mark(environment));
  const settings: GraphSettings = {
    baseUrl: environment.UPSTREAM_BASE_URL,
    version: environment.UPSTREAM_GRAPH_VERSION,
    timeoutMs: Number(environment.UPSTREAM_TIMEOUT_MS),
    headers,
  };
  return {
    ...mediaHosts(environment),
    headers,
    accessTokenOf,
    /**
     * Creates a client for one operation on a workspace, whose credentials it uses. All its calls end by `deadline`
     * (epoch milliseconds).
     */
    client: (workspace: CredentialsOwner, deadline: number, subject?: ErrorSubject) =>
      graphClient({ ...settings, ...(subject && { subject }) }, accessTokenOf(workspace), deadline, Date.now),
  };
};

/** Opens the client of one operation. All its calls end `budgetMs` milliseconds after the client is created. */
export const clientOf =
  <T>(create: (call: GraphClient) => T, budgetMs: number, subject?: ErrorSubject) =>
  (environment: Environment<'upstream'>) => {
    const { client } = upstream(environment);
    return (workspace: Workspace): T => create(client(workspace, Date.now() + budgetMs, subject));
  };

/** Which addresses customers' URLs may have. */
export const urlRules = (environment: Environment<'customerUrls'>) => ({
  allowList: parseAllowList(environment.EGRESS_ALLOWED_CIDRS),
  isOwn: parseOwnAddresses(environment.OWN_URLS),
});

/** Milliseconds for one whole request to a customer's URL. */
export const timeoutMs = (environment: Environment<'egress'>) => Number(environment.DELIVERY_TIMEOUT_MS);

/** Identifies the deployment in all requests that it sends. */
export const mark = (environment: Pick<Environment<'api'>, 'DEPLOYMENT_ID'>) => markOf(environment.DEPLOYMENT_ID);

/** The address of the API, without a trailing slash. */
export const baseUrl = (environment: Environment<'api'>) => environment.BASE_URL;

/** The same for the platform and for people without a token. It differs only while a tunnel leads here. */
export const publicUrl = (environment: Environment<'api'>) => environment.PUBLIC_URL;

export const access = (environment: Environment<'table'>) => accessReader(table(environment));

/** Runs operations for requests with an `Idempotency-Key`. */
export const keyedRequests = (environment: Environment<'table'>) => runsWithKey(keyedRequestStore(table(environment)));
