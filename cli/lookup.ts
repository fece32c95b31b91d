import type { User } from '#shared/domain/accounts/user.ts';
import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import { Rejection } from './failures.ts';
import type { Service } from './service.ts';

export async function findWorkspace({ workspaces }: Service, id: string): Promise<Workspace> {
  return (await workspaces.get(id)) ?? reject(`There is no workspace ${id}. "workspace list" lists all workspaces.`);
}

export async function findUser({ users }: Service, id: string): Promise<User> {
  return (await users.get(id)) ?? reject(`There is no user ${id}. "user list" lists all users.`);
}

export async function findNumber({ numbers }: Service, id: string): Promise<PhoneNumber> {
  return (
    (await numbers.get(id)) ??
    reject(`There is no number ${id}. "number list --workspace WORKSPACE" lists those of a workspace.`)
  );
}

function reject(message: string): never {
  throw new Rejection(message);
}
