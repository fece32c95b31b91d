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
import { rejectUnsafe, requireHandshake, type TargetContext } from './change-target.ts';
import { resetBreaker, type StartDrainContext } from './drain.ts';

/** An absent member keeps its URL, `null` removes it. */
export type WebhookChanges = Partial<Record<BuiltInTarget, string | null | undefined>>;

export interface ChangeContext extends StartDrainContext, Pick<TargetContext, 'secrets' | 'checkUrl' | 'ask'> {
  targets: Pick<TargetStore, 'read' | 'setUrls'>;
}

/**
 * Changes URLs of a subscriber. The breaker of a target whose URL changes closes, and held deliveries go to the new
 * URL, or are discarded when there is none. A receiver in Meta's format has to pass the handshake with the token that
 * is set, which only an owner may have sent elsewhere.
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
  const inMetaFormat = set.filter(({ target, url }) => {
    const record = before.targets[target];
    return record.format === 'meta' && record.url !== url;
  });
  if (inMetaFormat.length > 0 && !isOwner) throw new ServiceError('workspace.not-owner');
  const secrets = inMetaFormat.length > 0 ? await context.secrets.get(subscriber.id) : undefined;
  for (const { target, url } of inMetaFormat) {
    const token = secrets && secretsOf(secrets, target)?.verify_token;
    if (token !== undefined) await requireHandshake(target, { url, token }, context.ask, new Set());
  }

  const urls = Object.fromEntries(asked.map(({ target, url }) => [target, url]));
  if (!(await context.targets.setUrls(subscriber.id, urls))) throw subscriberNotFound(subscriber);
  // Read after the change: a breaker may have opened meanwhile.
  const after = await existingSettings(subscriber, context.targets);
  const moved = builtInTargets.filter((target) => after.targets[target].url !== before.targets[target].url);
  for (const target of moved) await resetBreaker(subscriber.id, target, after.targets[target].breaker, context);
  return after;
}
