import { isTransient as isTransientForTable } from '#shared/aws/table.ts';
import { rememberSettings } from '#shared/delivery/known-settings.ts';
import { rememberStreaks } from '#shared/delivery/streaks.ts';
import { retries } from '#shared/operations/resources/retries.ts';
import { table } from '#shared/operations/resources/table.ts';
import { provider } from '#shared/operations/serve.ts';
import { secretStore } from '#shared/webhooks/secret-store.ts';
import { targetStore } from '#shared/webhooks/target-store.ts';

/** Seconds between attempts. */
export const schedule = /* @__PURE__ */ provider({ retries }, ({ retries }) => retries);

export const settings = /* @__PURE__ */ provider({ table }, ({ table }, now) =>
  rememberSettings(targetStore(table).read, secretStore(table).get, now),
);

export const streaks = /* @__PURE__ */ provider({}, (_, now) => rememberStreaks(now));

export const isTransient = /* @__PURE__ */ provider({}, () => isTransientForTable);
