import type { SignatureContext } from '#shared/accounts/event-signature.ts';
import { ownAppsReader } from '#shared/accounts/own-apps-store.ts';
import { verifyTokenStore } from '#shared/accounts/verify-token-store.ts';
import { ofTable } from '#shared/compose/accounts.ts';
import { credentials as resource } from '#shared/operations/resources/credentials.ts';
import { table } from '#shared/operations/resources/table.ts';
import { provider } from '#shared/operations/serve.ts';

/** The credentials of the deployment. */
export const credentials = /* @__PURE__ */ provider({ resource }, (opened) => opened.resource(undefined));

/** What tells who signed a request of the upstream. */
export const signatures = /* @__PURE__ */ provider(
  { table, credentialsOf: resource },
  ({ table, credentialsOf }, now): SignatureContext => ({ credentialsOf, ownApps: ownAppsReader(table, now) }),
);

export const verifyTokens = /* @__PURE__ */ ofTable(verifyTokenStore);
