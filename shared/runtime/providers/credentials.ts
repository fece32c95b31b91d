import { ownAppsReader } from '#shared/adapters/dynamodb/accounts/own-apps.ts';
import { verifyTokenStore } from '#shared/adapters/dynamodb/accounts/verify-tokens.ts';
import type { SignatureContext } from '#shared/domain/access/upstream-signature.ts';
import { provider } from '../provider.ts';
import { credentials as resource } from '../resources/credentials.ts';
import { table } from '../resources/table.ts';
import { ofTable } from './of-table.ts';

/** The credentials of the deployment. */
export const credentials = /* @__PURE__ */ provider({ resource }, (opened) => opened.resource(undefined));

/** What tells who signed a request of the upstream. */
export const signatures = /* @__PURE__ */ provider(
  { table, credentialsOf: resource },
  ({ table, credentialsOf }, now): SignatureContext => ({ credentialsOf, ownApps: ownAppsReader(table, now) }),
);

export const verifyTokens = /* @__PURE__ */ ofTable(verifyTokenStore);
