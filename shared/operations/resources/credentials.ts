import { credentialsOfWorkspaces } from '#shared/accounts/credentials-store.ts';
import { secretsManager } from '#shared/aws/versioned-secret.ts';
import { resource, text } from '#shared/operations/resource.ts';

/** The upstream's credentials, of the deployment and of workspaces, for functions that verify its requests. */
export const credentials = /* @__PURE__ */ resource(
  'credentials',
  { UPSTREAM_SECRET_ID: text },
  ({ UPSTREAM_SECRET_ID }, connectTo) =>
    credentialsOfWorkspaces(UPSTREAM_SECRET_ID, Date.now, secretsManager(connectTo('secretsmanager'))),
);
