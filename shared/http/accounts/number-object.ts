import * as z from 'zod/mini';
import { timestamp } from '#shared/base/time/clock.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import { describeComponent } from '../contract/contract.ts';
import { dateTime } from '../contract/schemas.ts';

export const numberSchema = z.object({
  id: z.uuid(),
  workspace: z.uuid(),
  display_phone_number: z.string(),
  phone_number_id: z.string(),
  calling_enabled: z.boolean(),
  created_at: dateTime,
});
/* @__PURE__ */ describeComponent('Number', numberSchema, () => ({
  id: 'Id of the number.',
  workspace: 'Id of the workspace of the number.',
  display_phone_number: 'The number as people read it.',
  phone_number_id: 'Id of the number on the messaging platform.',
  calling_enabled: 'Whether calling is on for the number. Calls also need a workspace in which it is on.',
  created_at: 'When the number was created.',
}));

/** Builds the API's number. It is active: the API hides numbers that are not. The workspace shows its own switch. */
export const toNumberObject = (number: PhoneNumber) => ({
  id: number.id,
  workspace: number.workspace,
  display_phone_number: number.display_phone_number,
  phone_number_id: number.phone_number_id,
  calling_enabled: number.calling_enabled,
  created_at: timestamp(number.created_at),
});
