import { ServiceError } from '#shared/base/service-error.ts';
import {
  type BuiltInTarget,
  builtInTargets,
  type DeliverySettings,
  existingSettings,
  type Subscriber,
  subscriberNotFound,
} from '#shared/webhooks/subscriber.ts';
import type { TargetStore } from '#shared/webhooks/subscriber-store.ts';
import { secretsOf } from '#shared/webhooks/webhook-signature.ts';
import { maxTries, rejectUnsafe, type TargetContext } from './change-target.ts';
import { resetBreaker, type StartDrainContext } from './drain.ts';
import { requireHandshake } from './handshake.ts';

/** An absent member keeps its URL, `null` removes it. */
export type WebhookChanges = Partial<Record<BuiltInTarget, string | null | undefined>>;

export interface ChangeContext extends StartDrainContext, Pick<TargetContext, 'secrets' | 'checkUrl' | 'ask'> {
  targets: Pick<TargetStore, 'read' | 'setUrls'>;
}

/**
 * Changes URLs of a subscriber. The breaker of a target whose URL changes closes, and held deliveries go to the new
 * URL, or are discarded when there is none. What another request sets meanwhile is checked again: a target may have
 * just got Meta's format, or another token.
 */
export async function changeWebhooks(
  subscriber: Subscriber,
  { changes, isOwner }: { changes: WebhookChanges; isOwner: boolean },
  context: ChangeContext,
): Promise<DeliverySettings> {
  const asked = builtInTargets.flatMap((target) => {
    const url = changes[target];
    return url === undefined ? [] : [{ target, field: target, url }];
  });
  const set = asked.flatMap(({ url, ...about }) => (url === null ? [] : [{ ...about, url }]));
  await rejectUnsafe(set, context.checkUrl);
  const before = await existingSettings(subscriber, context.targets);
  if (asked.length === 0) return before;
  const urls = Object.fromEntries(asked.map(({ target, url }) => [target, url]));
  const proven = new Set<string>();
  let seen = before;
  for (let tries = 1; ; tries++) {
    await requireHandshakes(seen, set, { isOwner, proven }, context);
    if (await context.targets.setUrls(subscriber.id, urls, seen.targets)) break;
    // More often than others change it, a target is gone: its subscriber is being deleted.
    if (tries === maxTries) throw subscriberNotFound(subscriber);
    seen = await existingSettings(subscriber, context.targets);
  }
  // Read after the change: a breaker may have opened meanwhile.
  const after = await existingSettings(subscriber, context.targets);
  const moved = builtInTargets.filter((target) => after.targets[target].url !== before.targets[target].url);
  for (const target of moved) await resetBreaker(subscriber.id, target, after.targets[target].breaker, context);
  return after;
}

/** A receiver in Meta's format has to pass the handshake with the token that is set, and only an owner may move it. */
async function requireHandshakes(
  { subscriber, targets }: DeliverySettings,
  set: readonly { target: BuiltInTarget; url: string }[],
  { isOwner, proven }: { isOwner: boolean; proven: Set<string> },
  { secrets, ask }: ChangeContext,
): Promise<void> {
  const moved = set.filter(({ target, url }) => targets[target].format === 'meta' && targets[target].url !== url);
  if (moved.length === 0) return;
  if (!isOwner) throw new ServiceError('workspace.not-owner');
  const stored = await secrets.get(subscriber.id);
  for (const { target, url } of moved) {
    const token = stored && secretsOf(stored, target)?.verify_token;
    if (token !== undefined) await requireHandshake(target, { url, token }, ask, proven);
  }
}
