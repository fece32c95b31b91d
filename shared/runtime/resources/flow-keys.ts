import { secretsManager } from '#shared/adapters/secrets-manager/client.ts';
import { flowKeyStore } from '#shared/adapters/secrets-manager/flow-keys.ts';
import { resource, text } from '../resource.ts';

/** The private keys of workspaces' Flows. */
export const flowKeys = /* @__PURE__ */ resource(
  'flowKeys',
  { UPSTREAM_SECRET_ID: text },
  ({ UPSTREAM_SECRET_ID }, connectTo) => flowKeyStore(UPSTREAM_SECRET_ID, secretsManager(connectTo('secretsmanager'))),
);
