import { secretsManager } from '#shared/aws/versioned-secret.ts';
import { flowKeyStore } from '#shared/flow-endpoint/flow-key-store.ts';
import { resource, text } from '#shared/operations/resource.ts';

/** The private keys of workspaces' Flows. */
export const flowKeys = /* @__PURE__ */ resource(
  'flowKeys',
  { UPSTREAM_SECRET_ID: text },
  ({ UPSTREAM_SECRET_ID }, connectTo) => flowKeyStore(UPSTREAM_SECRET_ID, secretsManager(connectTo('secretsmanager'))),
);
