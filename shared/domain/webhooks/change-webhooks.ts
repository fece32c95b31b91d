import { invalidFields } from '#shared/domain/errors/invalid-fields.ts';
import type { DeliveryContext } from '../attempts/context.ts';
import { resetBreaker } from '../attempts/drain.ts';
import { newForMs } from '../attempts/known-settings.ts';
import type { UrlFault } from '../egress/url-fault.ts';
import { existingSettings } from '../subscribers/existing-settings.ts';
import { type Subscriber, subscriberNotFound } from '../subscribers/subscriber.ts';
import { type Target, targets } from '../subscribers/target.ts';
import type { DeliverySettings } from '../subscribers/target-store.ts';

/** An absent member keeps its URL, `null` removes it. */
export type WebhookChanges = Partial<Record<Target, string | null | undefined>>;

export interface ChangeContext extends Pick<DeliveryContext, 'targets' | 'breakers' | 'queue' | 'now'> {
  checkUrl: (url: string) => Promise<UrlFault | undefined>;
  wait: (milliseconds: number) => Promise<unknown>;
}

/**
 * Changes URLs of a subscriber. The breaker of a target whose URL changes closes, and held deliveries go to the new
 * URL, or are discarded when there is none. The function returns when no message is new that saw the old URL, so
 * nothing is sent to it after that.
 */
export async function changeWebhooks(
  subscriber: Subscriber,
  changes: WebhookChanges,
  context: ChangeContext,
): Promise<DeliverySettings> {
  const asked = targets.flatMap((target) => {
    const url = changes[target];
    return url === undefined ? [] : [{ target, url }];
  });
  await rejectUnsafe(asked, context);
  const before = await existingSettings(subscriber, context.targets);
  if (asked.length === 0) return before;

  const urls = Object.fromEntries(asked.map(({ target, url }) => [target, url]));
  if (!(await context.targets.setUrls(subscriber.id, urls))) throw subscriberNotFound(subscriber);
  // Read after the change: a breaker may have opened meanwhile.
  const after = await existingSettings(subscriber, context.targets);
  const moved = targets.filter((target) => after.targets[target].url !== before.targets[target].url);
  for (const target of moved) await resetBreaker(subscriber.id, target, after.targets[target].breaker, context);
  const wasUsed = moved.some((target) => before.targets[target].url !== undefined);
  if (wasUsed) await context.wait(newForMs);
  return after;
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
