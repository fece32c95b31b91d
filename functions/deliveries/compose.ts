import { isTransient as isTransientForTable } from '#shared/aws/table.ts';
import { rememberSecrets } from '#shared/delivery/known-secrets.ts';
import { table } from '#shared/operations/compose.ts';
import type { Environment } from '#shared/operations/variables.ts';
import { secretStore } from '#shared/webhooks/secret-store.ts';

export const secretsFor = (environment: Environment<'table'>) =>
  rememberSecrets(secretStore(table(environment)).get, Date.now);

export const isTransient = () => isTransientForTable;
