import { secretsManager } from '#shared/adapters/secrets-manager/client.ts';
import { credentialsReader } from '#shared/adapters/secrets-manager/credentials.ts';
import { resource, text } from '../resource.ts';

/** The upstream's credentials, for functions that verify requests of the upstream. */
export const credentials = /* @__PURE__ */ resource(
  'credentials',
  { UPSTREAM_SECRET_ID: text },
  ({ UPSTREAM_SECRET_ID }, connectTo) =>
    credentialsReader(UPSTREAM_SECRET_ID, Date.now, secretsManager(connectTo('secretsmanager'))),
);
