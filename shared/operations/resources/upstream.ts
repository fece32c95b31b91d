import { accessTokenFrom, credentialsOfWorkspaces } from '#shared/accounts/credentials-store.ts';
import type { CredentialsOwner } from '#shared/accounts/upstream-credentials.ts';
import { secretsManager } from '#shared/aws/versioned-secret.ts';
import { marked, markOf } from '#shared/base/mark.ts';
import { type GraphSettings, graphClient } from '#shared/graph/graph-client.ts';
import type { ErrorSubject } from '#shared/graph/upstream-error-codes.ts';
import { milliseconds, resource, text } from '#shared/operations/resource.ts';

/** The upstream: its address, its credentials, and the headers that all our requests to it carry. */
export const upstream = /* @__PURE__ */ resource(
  'upstream',
  {
    UPSTREAM_BASE_URL: text,
    UPSTREAM_MEDIA_HOSTS: text,
    UPSTREAM_GRAPH_VERSION: text,
    UPSTREAM_TIMEOUT_MS: milliseconds,
    UPSTREAM_SECRET_ID: text,
    DEPLOYMENT_ID: text,
  },
  (values, connectTo) => {
    const secrets = secretsManager(connectTo('secretsmanager'));
    const credentialsOf = credentialsOfWorkspaces(values.UPSTREAM_SECRET_ID, Date.now, secrets);
    const accessTokenOf = (workspace: CredentialsOwner) => accessTokenFrom(credentialsOf(workspace));
    const headers = marked({}, markOf(values.DEPLOYMENT_ID));
    const settings: GraphSettings = {
      baseUrl: values.UPSTREAM_BASE_URL,
      version: values.UPSTREAM_GRAPH_VERSION,
      timeoutMs: values.UPSTREAM_TIMEOUT_MS,
      headers,
    };
    return {
      baseUrl: settings.baseUrl,
      mediaHosts: values.UPSTREAM_MEDIA_HOSTS.split(','),
      headers,
      accessTokenOf,
      credentialsOf,
      /**
       * Creates a client for one operation on a workspace, whose credentials it uses. All its calls end by `deadline`
       * (epoch milliseconds).
       */
      client: (workspace: CredentialsOwner, deadline: number, subject?: ErrorSubject) =>
        graphClient({ ...settings, ...(subject && { subject }) }, accessTokenOf(workspace), deadline, Date.now),
    };
  },
);
