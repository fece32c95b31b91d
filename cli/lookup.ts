import type { User, Workspace } from '#shared/accounts/workspace.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import type { Service } from './service.ts';
import { Rejection } from './terminal/errors.ts';

export async function findWorkspace({ workspaces, hint }: Service, id: string): Promise<Workspace> {
  return (
    (await workspaces.get(id)) ?? reject(`There is no workspace ${id}. To list all workspaces: ${hint`workspace list`}`)
  );
}

export async function findUser({ users, hint }: Service, id: string): Promise<User> {
  return (await users.get(id)) ?? reject(`There is no user ${id}. To list all users: ${hint`user list`}`);
}

export async function findNumber({ numbers, hint }: Service, id: string): Promise<PhoneNumber> {
  return (
    (await numbers.get(id)) ??
    reject(`There is no number ${id}. To list the numbers of a workspace: ${hint`number list --workspace WORKSPACE`}`)
  );
}

/** Finds a number by its id or by the platform's. */
export async function findReferredNumber(service: Service, reference: string): Promise<PhoneNumber> {
  if (!/^\d+$/.test(reference)) return findNumber(service, reference);
  const found = await service.targets.findByPhoneNumberId(reference);
  const create = service.hint`number create --workspace WORKSPACE --phone-number-id ${reference} --display-phone-number NUMBER`;
  return found?.subscriber ?? reject(`No number here has the phone number id ${reference}. To create it: ${create}`);
}

function reject(message: string): never {
  throw new Rejection(message);
}
