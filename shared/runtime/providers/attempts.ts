import { secretStore } from '#shared/adapters/dynamodb/subscribers/secrets.ts';
import { targetStore } from '#shared/adapters/dynamodb/subscribers/targets.ts';
import { isTransient as isTransientForTable } from '#shared/adapters/dynamodb/table/transient.ts';
import { rememberSettings } from '#shared/domain/attempts/known-settings.ts';
import { rememberSlowTargets } from '#shared/domain/attempts/slow-targets.ts';
import { rememberStreaks } from '#shared/domain/attempts/streaks.ts';
import { provider } from '../provider.ts';
import { retries } from '../resources/retries.ts';
import { table } from '../resources/table.ts';

/** Seconds between attempts. */
export const schedule = /* @__PURE__ */ provider({ retries }, ({ retries }) => retries);

export const settings = /* @__PURE__ */ provider({ table }, ({ table }, now) =>
  rememberSettings(targetStore(table).read, secretStore(table).get, now),
);

export const slowTargets = /* @__PURE__ */ provider({ table }, ({ table }, now) =>
  rememberSlowTargets(targetStore(table), now),
);

export const streaks = /* @__PURE__ */ provider({}, (_, now) => rememberStreaks(now));

export const isTransient = /* @__PURE__ */ provider({}, () => isTransientForTable);
