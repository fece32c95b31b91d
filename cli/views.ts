import { timestamp } from '#shared/base/time/clock.ts';
import { isExpired, type TokenRecord } from '#shared/domain/accounts/token.ts';
import type { User } from '#shared/domain/accounts/user.ts';
import { permitsCalls, type Workspace } from '#shared/domain/accounts/workspace.ts';
import { type FlowKey, fingerprint, publicKeyOf } from '#shared/domain/flow-keys/flow-key.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import type { Service } from './service.ts';
import type { Row } from './terminal/render.ts';

export const workspaceView = (workspace: Workspace): Row => ({
  id: workspace.id,
  name: workspace.name,
  waba_id: workspace.waba_id,
  calling_enabled: permitsCalls(workspace),
  created_at: timestamp(workspace.created_at),
});

export const userView = ({ id, name, created_at }: User): Row => ({ id, name, created_at: timestamp(created_at) });

export const numberView = (number: PhoneNumber): Row => ({
  id: number.id,
  phone_number_id: number.phone_number_id,
  display_phone_number: number.display_phone_number,
  active: number.active,
  calling_enabled: number.calling_enabled,
});

/** Leaves out the token itself: the service keeps only its hash. */
export const tokenView = (token: TokenRecord, now: number): Row => ({
  hash_prefix: token.hash.slice(0, 12),
  label: token.label,
  created_at: timestamp(token.created_at),
  expires_at: token.expires_at === undefined ? null : timestamp(token.expires_at),
  state: isExpired(token, now) ? 'expired' : 'active',
});

/** Leaves out the private key. */
export const keyView = (key: FlowKey, position: number): Row => ({
  fingerprint: fingerprint(publicKeyOf(key)) ?? null,
  use: position === 0 ? 'current' : 'previous',
  created_at: timestamp(key.created_at),
});

export async function memberViews({ workspaces, users }: Service, workspace: string): Promise<Row[]> {
  const members = await workspaces.listMembers(workspace);
  return Promise.all(
    members.map(async ({ user, role }) => ({ user, name: (await users.get(user))?.name ?? null, role })),
  );
}
