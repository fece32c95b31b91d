import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { FlowRecord } from '../shared/flows/flow.ts';
import type { PhoneNumber } from '../shared/numbers/number.ts';
import { createSession, hashSecret, type PreviewRecord, validUntil } from '../shared/previews/preview.ts';
import { indexKeys, keys } from '../shared/storage/keys.ts';
import { numberStore } from '../shared/storage/numbers.ts';
import type { Table } from '../shared/storage/table.ts';
import { tokenStore } from '../shared/storage/tokens.ts';
import { userStore } from '../shared/storage/users.ts';
import { workspaceStore } from '../shared/storage/workspaces.ts';
import { hashToken, withChecksum } from '../shared/tokens/token.ts';
import type { Role, Workspace } from '../shared/workspaces/workspace.ts';
import demoFlow from './demo-flow.json' with { type: 'json' };

/** Fixed, so that every command of the documentation works as printed. */
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

/** What the service and the simulated upstream know of each other. */
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
    ...Object.entries(users).map(([name, { id }]) =>
      tokenStore(table).create({
        hash: hashToken(seededTokens[name as UserName]),
        user: id,
        label: 'local world',
        created_at: createdAt,
      }),
    ),
    ...seededWorkspaces.map(workspaces.create),
    ...roles.map(({ workspace, user, role }) =>
      workspaces.putMember({ workspace: workspace.id, user: users[user].id, role }),
    ),
    ...seededNumbers.map(numberStore(table).create),
  ]);
}

/** A preview to open in a browser. Its Flow is of a workspace of its own, so that the lists of the others stay as they are. */
export const demoPreview = { id: '55555555-5555-4555-8555-555555555555', secret: '123456' } as const;

/** Makes the demo preview, anew at each start as its validity ends within a day. */
export async function seedDemoPreview({ client, name: TableName }: Table, now: number): Promise<void> {
  const { id, secret } = demoPreview;
  const flow: FlowRecord = {
    id: '44444444-4444-4444-8444-444444444444',
    workspace: '44444444-4444-4444-8444-444444444440',
    wa_id: '400000000000001',
    name: 'Book a table',
    categories: [3],
    endpoint_url: null,
    endpoint_encrypted: true,
    status: 'DRAFT',
    version: demoFlow.version,
    json: { text: JSON.stringify(demoFlow) },
    preview_generation: 0,
    created_at: createdAt,
    updated_at: createdAt,
  };
  const preview: PreviewRecord = {
    id,
    workspace: flow.workspace,
    flow: flow.id,
    number: seededNumbers[0]?.id ?? '',
    secret_hash: hashSecret(id, secret),
    session: createSession(),
    generation: flow.preview_generation,
    valid_until: validUntil(6, now),
    created_at: now,
  };
  await Promise.all(
    [
      { ...keys.flow(flow.workspace, flow.id), ...indexKeys.flow(flow.id), ...flow },
      { ...keys.preview(id), ...preview },
    ].map((Item) => client.send(new PutCommand({ TableName, Item }))),
  );
}
