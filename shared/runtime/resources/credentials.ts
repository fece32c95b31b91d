import { secretsManager } from '#shared/adapters/secrets-manager/client.ts';
import { credentialsOfWorkspaces } from '#shared/adapters/secrets-manager/credentials.ts';
import { resource, text } from '../resource.ts';

/** The upstream's credentials, of the deployment and of workspaces, for functions that verify its requests. */
export const credentials = /* @__PURE__ */ resource(
  'credentials',
  { UPSTREAM_SECRET_ID: text },
  ({ UPSTREAM_SECRET_ID }, connectTo) =>
    credentialsOfWorkspaces(UPSTREAM_SECRET_ID, Date.now, secretsManager(connectTo('secretsmanager'))),
);
