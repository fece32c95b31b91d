import * as z from 'zod/mini';
import { timestamp } from '#shared/base/clock.ts';
import type { Membership } from '#shared/domain/accounts/membership-store.ts';
import { roles } from '#shared/domain/accounts/workspace.ts';
import { dateTime } from '../contract/schemas.ts';

export const workspaceSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  waba_id: z.nullable(z.string()),
  role: z.enum(roles),
  created_at: dateTime,
});
z.globalRegistry.add(workspaceSchema, { id: 'Workspace' });

/** Builds the API's workspace as the user sees it. */
export const toWorkspaceObject = ({ workspace: { id, name, waba_id, created_at }, role }: Membership) => ({
  id,
  name,
  waba_id,
  role,
  created_at: timestamp(created_at),
});
