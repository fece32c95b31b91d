import { isTransient as isTransientForTable } from '#shared/aws/table.ts';
import { rememberSettings } from '#shared/delivery/known-settings.ts';
import { rememberStreaks } from '#shared/delivery/streaks.ts';
import { table } from '#shared/operations/compose.ts';
import type { Environment } from '#shared/operations/variables.ts';
import { secretStore } from '#shared/webhooks/secret-store.ts';
import { targetStore } from '#shared/webhooks/target-store.ts';

export const settings = (environment: Environment<'table'>) =>
  rememberSettings(targetStore(table(environment)).read, secretStore(table(environment)).get, Date.now);

export const streaks = () => rememberStreaks(Date.now);

export const isTransient = () => isTransientForTable;
