import { invalidFields } from '#shared/domain/errors/invalid-fields.ts';
import type { BusinessAccountStore } from '../accounts/business-account-store.ts';
import { type Subscriber, type Target, targets, workspaceSubscriber } from '../accounts/subscriber.ts';
import type { Workspace } from '../accounts/workspace.ts';
import type { UrlFault } from '../egress/url-fault.ts';
import { ServiceError } from '../errors/service-error.ts';
import { createSecret } from '../signing/webhook-signature.ts';
import type { DeliveryContext } from './context.ts';
import { resetBreaker } from './drain.ts';
import { existingSettings } from './existing-settings.ts';
import { newForMs } from './known-settings.ts';
import type { DeliverySettings } from './target-store.ts';

/** An absent member keeps its URL, `null` removes it. */
export type WebhookChanges = Partial<Record<Target, string | null | undefined>>;

export interface ChangeContext extends Pick<DeliveryContext, 'targets' | 'queue' | 'now'> {
  checkUrl: (url: string) => Promise<UrlFault | undefined>;
  wait: (milliseconds: number) => Promise<unknown>;
}

export interface WorkspaceWebhookContext extends ChangeContext {
  businessAccounts: Pick<BusinessAccountStore, 'enter'>;
}

/** Sets the URL of a workspace's webhook, or removes it (`null`). See {@link changeWebhooks}. */
export async function changeWorkspaceWebhook(
  workspace: Workspace,
  webhook: string | null,
  context: WorkspaceWebhookContext,
): Promise<Subscriber> {
  const changed = await changeWebhooks(workspaceSubscriber(workspace), { webhook }, context);
  // Versions without workspace webhooks created workspaces that are not found by their business account.
  if (webhook !== null) await context.businessAccounts.enter(workspace);
  return changed;
}

/**
 * Changes URLs of a subscriber. The breaker of a target whose URL changes closes, and held deliveries go to the new URL, or
 * are discarded when there is none. The function returns when no message is new that saw the old URL, so nothing is
 * sent to it after that.
 */
export async function changeWebhooks(
  subscriber: Subscriber,
  changes: WebhookChanges,
  context: ChangeContext,
): Promise<Subscriber> {
  const asked = targets.flatMap((target) => {
    const url = changes[target];
    return url === undefined ? [] : [{ target, url }];
  });
  await rejectUnsafe(asked, context);
  if (asked.length === 0) return subscriber;

  const settings = await existingSettings(subscriber, context.targets);
  // The secret comes first, because nothing may be sent unsigned.
  if (asked.some(({ url }) => url !== null)) await ensureSecret(settings, context);
  const urls = Object.fromEntries(asked.map(({ target, url }) => [target, url]));
  const changed = await context.targets.setUrls(subscriber, urls);
  if (!changed) throw new ServiceError('number.not-found');
  const moved = asked.map(({ target }) => target).filter((target) => changed[target] !== settings.subscriber[target]);
  if (moved.length === 0) return changed;
  const wasUsed = moved.some((target) => settings.subscriber[target] !== undefined);
  // Read after the change: a breaker may have opened meanwhile.
  const breakers = wasUsed ? (await context.targets.read(subscriber.id))?.breakers : undefined;
  for (const target of moved) await resetBreaker(subscriber.id, target, breakers?.[target], context);
  if (wasUsed) await context.wait(newForMs);
  return changed;
}

async function rejectUnsafe(
  asked: readonly { target: Target; url: string | null }[],
  { checkUrl }: ChangeContext,
): Promise<void> {
  const faults = await Promise.all(
    asked.map(async ({ target, url }) => {
      const fault = url === null ? undefined : await checkUrl(url);
      return fault ? [{ field: target, rule: `url_${fault}` as const, values: {} }] : [];
    }),
  );
  if (faults.flat().length > 0) throw invalidFields(faults.flat());
}

async function ensureSecret({ subscriber, secrets }: DeliverySettings, { targets }: ChangeContext): Promise<void> {
  if (!secrets) await targets.createSecrets(subscriber.id, { current: createSecret() });
}
