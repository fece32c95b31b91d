import { isTransient as isTransientForTable } from '#shared/aws/table.ts';
import { table } from '#shared/operations/compose.ts';
import type { Environment } from '#shared/operations/variables.ts';
import { rememberSecrets, secretStore } from '#shared/webhooks/subscriber-store.ts';

export const secretsFor = (environment: Environment<'table'>) =>
  rememberSecrets(secretStore(table(environment)).get, Date.now);

export const isTransient = () => isTransientForTable;
