import * as z from 'zod/mini';
import { timestamp } from '#shared/base/time.ts';
import { dateTime, describeComponent } from '#shared/http/members.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import type { Membership } from './membership-store.ts';
import { permitsCalls, roles } from './workspace.ts';

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
export const toNumberObject = (number: PhoneNumber) => ({ ...number, created_at: timestamp(number.created_at) });

export const workspaceSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  waba_id: z.nullable(z.string()),
  role: z.enum(roles),
  calling_enabled: z.boolean(),
  created_at: dateTime,
});
/* @__PURE__ */ describeComponent('Workspace', workspaceSchema, () => ({
  id: 'Id of the workspace.',
  name: 'The name of the workspace.',
  waba_id: 'Id of its business account on the messaging platform; `null` without one. Flows need one.',
  role: 'What the user is in the workspace: an `owner` may change Flows, a `member` may read them.',
  calling_enabled: 'Whether calling is on in the workspace. Calls also need a number for which it is on.',
  created_at: 'When the workspace was created.',
}));

export const toWorkspaceObject = ({ workspace, role }: Membership) => ({
  ...workspace,
  role,
  calling_enabled: permitsCalls(workspace),
  created_at: timestamp(workspace.created_at),
});
