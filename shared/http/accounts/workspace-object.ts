import * as z from 'zod/mini';
import { timestamp } from '#shared/base/time/clock.ts';
import type { Membership } from '#shared/domain/accounts/membership-store.ts';
import { permitsCalls, roles } from '#shared/domain/accounts/workspace.ts';
import { describeComponent } from '../contract/contract.ts';
import { dateTime } from '../contract/schemas.ts';

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

/** Builds the API's workspace as the user sees it. */
export const toWorkspaceObject = ({ workspace, role }: Membership) => ({
  id: workspace.id,
  name: workspace.name,
  waba_id: workspace.waba_id,
  role,
  calling_enabled: permitsCalls(workspace),
  created_at: timestamp(workspace.created_at),
});
