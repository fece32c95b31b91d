import { registrationName } from '#shared/graph-paths/register-webhook.ts';
import { findTarget, isNamed, type NamedTarget, type Target } from '#shared/webhooks/subscriber.ts';
import type { Service } from './service.ts';

/** How many webhooks a number or a workspace has. */
export async function countWebhooks({ targets }: Service, subscriber: string): Promise<number> {
  const settings = await targets.read(subscriber);
  return Object.values(settings?.targets ?? {}).filter(({ url }) => url !== undefined).length;
}

interface Registration {
  number: string;
  target: NamedTarget;
}

/** The webhooks that a user has registered on Graph's paths for the numbers of a workspace. */
export async function registrationsOf(
  { numbers, targets }: Service,
  workspace: string,
  user: string,
): Promise<Registration[]> {
  const found = await Promise.all(
    (await numbers.listByWorkspace(workspace)).map(async ({ id }) => {
      const settings = await targets.read(id);
      const target = settings && findTarget(settings, registrationName(user));
      return target && isNamed(target) ? [{ number: id, target }] : [];
    }),
  );
  return found.flat();
}

/** Deletes the webhooks that a user has registered in a workspace, and discards what is held for them. */
async function deleteRegistrations(service: Service, workspace: string, user: string): Promise<void> {
  for (const { number, target } of await registrationsOf(service, workspace, user)) {
    await service.targets.deleteTarget(number, target);
    await discardHeld(service, number, [target]);
  }
}

/**
 * Takes a user from a workspace, with the webhooks that it has registered there: first, so that the command can be repeated
 * after a failure, and again when the user can register no more.
 */
export async function endMembership(service: Service, workspace: string, user: string): Promise<void> {
  await deleteRegistrations(service, workspace, user);
  await service.workspaces.removeMember(workspace, user);
  await deleteRegistrations(service, workspace, user);
}

/** Discards what is held for targets, and returns how much it was. */
export async function discardHeld(
  { deliveries, now }: Service,
  subscriber: string,
  targets: readonly Target[],
): Promise<number> {
  let discarded = 0;
  for (const target of targets) {
    for await (const { id } of deliveries.listHeld(subscriber, target)) {
      if ((await deliveries.discard({ subscriber, target, id }, now())) === 'discarded') discarded++;
    }
  }
  return discarded;
}
