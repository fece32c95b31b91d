import { parseSchedule } from '#shared/delivery/retry-schedule.ts';
import { parsedBy, resource } from '#shared/operations/resource.ts';

/** Seconds between attempts. */
export const retries = /* @__PURE__ */ resource(
  'retries',
  { DELIVERY_RETRY_SCHEDULE: parsedBy(parseSchedule) },
  ({ DELIVERY_RETRY_SCHEDULE }) => DELIVERY_RETRY_SCHEDULE,
);
