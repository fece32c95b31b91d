import * as z from 'zod/mini';
import { timestamp } from '#shared/base/time/clock.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import { dateTime } from '../contract/schemas.ts';

export const numberSchema = z.object({
  id: z.uuid(),
  workspace: z.uuid(),
  display_phone_number: z.string(),
  phone_number_id: z.string(),
  calling_enabled: z.boolean(),
  created_at: dateTime,
});
z.globalRegistry.add(numberSchema, { id: 'Number' });

/** Builds the API's number. It is active: the API hides numbers that are not. The workspace shows its own switch. */
export const toNumberObject = (number: PhoneNumber) => ({
  id: number.id,
  workspace: number.workspace,
  display_phone_number: number.display_phone_number,
  phone_number_id: number.phone_number_id,
  calling_enabled: number.calling_enabled,
  created_at: timestamp(number.created_at),
});
