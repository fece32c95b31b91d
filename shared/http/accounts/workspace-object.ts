import * as z from 'zod/mini';
import { timestamp } from '#shared/base/time/clock.ts';
import type { Membership } from '#shared/domain/accounts/membership-store.ts';
import { permitsCalls, roles } from '#shared/domain/accounts/workspace.ts';
import { dateTime } from '../contract/schemas.ts';

export const workspaceSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  waba_id: z.nullable(z.string()),
  role: z.enum(roles),
  calling_enabled: z.boolean(),
  created_at: dateTime,
});
z.globalRegistry.add(workspaceSchema, { id: 'Workspace' });

/** Builds the API's workspace as the user sees it. */
export const toWorkspaceObject = ({ workspace, role }: Membership) => ({
  id: workspace.id,
  name: workspace.name,
  waba_id: workspace.waba_id,
  role,
  calling_enabled: permitsCalls(workspace),
  created_at: timestamp(workspace.created_at),
});
