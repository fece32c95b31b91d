import { membershipStore } from '#shared/accounts/membership-store.ts';
import { createToken, hashToken } from '#shared/accounts/token.ts';
import { tokenStore } from '#shared/accounts/user-store.ts';
import type { Role, Workspace } from '#shared/accounts/workspace.ts';
import { workspaceStore } from '#shared/accounts/workspace-store.ts';
import { newId } from '#shared/base/ids.ts';
import { accessReader } from '#shared/operations/access-store.ts';
import { numberStore } from '#shared/webhooks/number-store.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { startTestTable } from '../aws/dynamodb.ts';
import { type RequestOptions, send } from '../aws/http-event.ts';
import { mark } from '../deployment.ts';
import { now, type Operation } from './api-world.ts';

/** A user with a token. */
export interface TestUser {
  id: string;
  token: string;
}

/** Runs the lists of workspaces and numbers on the real stores of a DynamoDB engine. */
export async function startDiscoveryWorld() {
  const { table, close } = await startTestTable();
  const dependencies = {
    access: accessReader(table),
    now: () => now,
    mark,
    baseUrl: 'https://api.example.com',
    memberships: membershipStore(table),
  };

  return {
    async newUser(): Promise<TestUser> {
      const user = { id: newId(), token: createToken() };
      await tokenStore(table).create({ hash: hashToken(user.token), user: user.id, label: 'test', created_at: now });
      return user;
    },

    async newWorkspace(user: TestUser, role: Role = 'member'): Promise<Workspace> {
      const workspace: Workspace = { id: newId(), name: 'Acme', waba_id: '102290129340398', created_at: now };
      await workspaceStore(table).create(workspace);
      await workspaceStore(table).putMember({ workspace: workspace.id, user: user.id, role });
      return workspace;
    },

    async newNumber({ id: workspace }: Workspace, members: Partial<PhoneNumber> = {}): Promise<PhoneNumber> {
      const number: PhoneNumber = {
        id: newId(),
        workspace,
        phone_number_id: newId(),
        display_phone_number: '+55 11 4000-0001',
        active: true,
        calling_enabled: true,
        created_at: now,
        ...members,
      };
      await numberStore(table).create(number);
      return number;
    },

    call: ({ contract, makeHandler }: Operation<typeof dependencies>, user: TestUser, options: RequestOptions = {}) =>
      send(makeHandler(dependencies), { contract, caller: `Bearer ${user.token}`, ...options }),

    close,
  };
}

export type DiscoveryWorld = Awaited<ReturnType<typeof startDiscoveryWorld>>;
