import { hashToken, withChecksum } from '#shared/accounts/token.ts';
import { tokenStore, userStore } from '#shared/accounts/user-store.ts';
import type { Role, Workspace } from '#shared/accounts/workspace.ts';
import { workspaceStore } from '#shared/accounts/workspace-store.ts';
import type { Table } from '#shared/aws/table.ts';
import { numberStore } from '#shared/webhooks/number-store.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';

/** Fixed, so that every command in the documentation works as printed. */
const createdAt = Date.parse('2026-01-01T00:00:00Z');

const users = {
  owner: { id: '0a000000-0000-4000-8000-000000000001', secret: 'LocalOwnerLocalOwnerLocalOwner00' },
  member: { id: '0a000000-0000-4000-8000-000000000002', secret: 'LocalMemberLocalMemberLocalMemb0' },
  stranger: { id: '0a000000-0000-4000-8000-000000000003', secret: 'LocalStrangerLocalStrangerLocal0' },
} as const;

type UserName = keyof typeof users;

/** Access tokens of the seeded users. They open the local world and nothing else. */
export const seededTokens: Readonly<Record<UserName, string>> = {
  owner: withChecksum(users.owner.secret),
  member: withChecksum(users.member.secret),
  stranger: withChecksum(users.stranger.secret),
};

export const seededWorkspaces: readonly Workspace[] = [
  { id: '11111111-1111-4111-8111-111111111111', name: 'Acme', waba_id: '100000000000001', created_at: createdAt },
  { id: '22222222-2222-4222-8222-222222222222', name: 'Unconnected', waba_id: null, created_at: createdAt },
];

const [acme, unconnected] = seededWorkspaces as [Workspace, Workspace];

const roles: readonly { workspace: Workspace; user: UserName; role: Role }[] = [
  { workspace: acme, user: 'owner', role: 'owner' },
  { workspace: acme, user: 'member', role: 'member' },
  { workspace: unconnected, user: 'owner', role: 'owner' },
];

const number = (ordinal: number, settings: Pick<PhoneNumber, 'active' | 'calling_enabled'>): PhoneNumber => ({
  id: `3333333${ordinal}-3333-4333-8333-33333333333${ordinal}`,
  workspace: acme.id,
  phone_number_id: `20000000000000${ordinal}`,
  display_phone_number: `+1555010000${ordinal}`,
  ...settings,
  created_at: createdAt,
});

export const seededNumbers: readonly PhoneNumber[] = [
  number(1, { active: true, calling_enabled: true }),
  number(2, { active: true, calling_enabled: false }),
  number(3, { active: false, calling_enabled: false }),
];

/** The secrets that the service and the simulated upstream share. */
export const seededCredentials = {
  access_token: 'local-upstream-access-token',
  app_secret: 'local-app-secret',
  verify_token: 'local-verify-token',
} as const;

/** Fills an empty table. */
export async function seed(table: Table): Promise<void> {
  const workspaces = workspaceStore(table);
  await Promise.all([
    ...Object.entries(users).map(([name, { id }]) => userStore(table).create({ id, name, created_at: createdAt })),
    seedTokens(table),
    ...seededWorkspaces.map(workspaces.create),
    ...roles.map(({ workspace, user, role }) =>
      workspaces.putMember({ workspace: workspace.id, user: users[user].id, role }),
    ),
    ...seededNumbers.map((number) => numberStore(table).create(number)),
  ]);
}

/** Gives the seeded users their tokens. */
export async function seedTokens(table: Table): Promise<void> {
  await Promise.all(
    Object.entries(users).map(([name, { id }]) =>
      tokenStore(table).create({
        hash: hashToken(seededTokens[name as UserName]),
        user: id,
        label: 'local world',
        created_at: createdAt,
      }),
    ),
  );
}
