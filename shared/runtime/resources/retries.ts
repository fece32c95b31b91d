import { parseSchedule } from '#shared/domain/deliveries/schedule.ts';
import { parsedBy, resource } from '../resource.ts';

/** Seconds between attempts. */
export const retries = /* @__PURE__ */ resource(
  'retries',
  { DELIVERY_RETRY_SCHEDULE: parsedBy(parseSchedule) },
  ({ DELIVERY_RETRY_SCHEDULE }) => DELIVERY_RETRY_SCHEDULE,
);
