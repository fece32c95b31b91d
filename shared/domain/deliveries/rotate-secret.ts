import { type Clock, timestamp } from '#shared/base/clock.ts';
import { dayMs } from '#shared/base/duration.ts';
import { type SigningSecrets, type SubscriberKey, stillValid } from '../accounts/subscriber.ts';
import { ServiceError } from '../errors/service-error.ts';
import { createSecret, type SigningSecret } from '../signing/webhook-signature.ts';
import type { TargetStore } from './target-store.ts';

/** How long a replaced secret keeps signing. */
const overlapMs = dayMs;

/** The most replaced secrets that sign at a time; each adds a signature to every notification. */
const maxReplaced = 5;

/** More tries than rotations can succeed at the same time before the limit is reached. */
const maxTries = 10;

interface Rotated {
  secret: SigningSecret;
  /** Epoch milliseconds; `null` when there was no secret before. */
  previousValidUntil: number | null;
}

export interface RotationContext {
  targets: Pick<TargetStore, 'getSecrets' | 'replaceSecrets'>;
  now: Clock;
}

/**
 * Gives a subscriber a new signing secret. Concurrent rotations replace each other's secret in turn, so every secret that
 * was handed out signs for a day at least. Throws `signing-secret.too-many-rotations` when more than five would sign.
 */
export async function rotateSecret(subscriber: SubscriberKey, { targets, now }: RotationContext): Promise<Rotated> {
  const secret = createSecret();
  for (let tries = 0; tries < maxTries; tries++) {
    const known = await targets.getSecrets(subscriber.id);
    // A write whose response was lost is repeated and finds its own secret.
    const mine = known && rotated(known, secret);
    if (mine) return mine;
    const next = successor(known, secret, now());
    if (await targets.replaceSecrets(subscriber, known?.current, next)) {
      return { secret, previousValidUntil: next.replaced?.[0]?.valid_until ?? null };
    }
  }
  throw new ServiceError('signing-secret.changed-meanwhile');
}

/** Returns the result of the rotation to this secret, if that rotation has succeeded. */
function rotated({ current, replaced = [] }: SigningSecrets, secret: SigningSecret): Rotated | undefined {
  const index = [current, ...replaced.map((one) => one.secret)].indexOf(secret);
  return index < 0 ? undefined : { secret, previousValidUntil: replaced[index]?.valid_until ?? null };
}

function successor(known: SigningSecrets | undefined, secret: SigningSecret, now: number): SigningSecrets {
  if (!known) return { current: secret };
  const valid = stillValid(known, now);
  if (valid.length >= maxReplaced) throw tooMany(Math.min(...valid.map(({ valid_until }) => valid_until)), now);
  return { current: secret, replaced: [{ secret: known.current, valid_until: now + overlapMs }, ...valid] };
}

function tooMany(possibleAt: number, now: number): ServiceError {
  return new ServiceError('signing-secret.too-many-rotations', {
    values: { at: timestamp(possibleAt), count: maxReplaced },
    retryAfterSeconds: Math.ceil((possibleAt - now) / 1000),
  });
}
