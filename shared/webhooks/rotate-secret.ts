import { ServiceError } from '#shared/base/service-error.ts';
import { type Clock, dayMs, timestamp } from '#shared/base/time.ts';
import { builtInTargets, type NamedTarget, type Subscriber, subscriberNotFound, targetNotFound } from './subscriber.ts';
import type { SecretStore } from './subscriber-store.ts';
import { createSecret, type SigningSecret, type SigningSecrets, secretsOf, stillValid } from './webhook-signature.ts';

/** How long a replaced secret keeps signing. */
const overlapMs = dayMs;

/** The maximum number of replaced secrets that sign at a time; each adds a signature to every notification. */
const maxReplaced = 5;

/** More tries than rotations can succeed at the same time before the limit is reached. */
const maxTries = 10;

export interface RotationContext {
  secrets: Pick<SecretStore, 'get' | 'replace'>;
  now: Clock;
}

/**
 * Gives a new signing secret to a target with a name of its own, or else to all others of a subscriber. Concurrent
 * rotations replace each other's secret in turn, so every secret that was handed out signs for a day at least. Throws
 * `signing-secret.too-many-rotations` when five replaced secrets still sign.
 */
export async function rotateSecret(subscriber: Subscriber, { secrets, now }: RotationContext, target?: NamedTarget) {
  const secret = createSecret();
  for (let tries = 0; tries < maxTries; tries++) {
    const all = await secrets.get(subscriber.id);
    if (!all) throw subscriberNotFound(subscriber);
    const stored = target ? secretsOf(all, target) : all;
    if (!stored) throw targetNotFound(builtInTargets);
    // A write whose response was lost is repeated and finds its own secret.
    const mine = rotated(stored, secret);
    if (mine) return mine;
    const valid = stillValid(stored, now());
    if (valid.length >= maxReplaced) throw tooMany(Math.min(...valid.map(({ valid_until }) => valid_until)), now());
    const valid_until = now() + overlapMs;
    const replaced = [{ secret: stored.current, valid_until }, ...valid];
    if (await secrets.replace(subscriber, stored.current, { current: secret, replaced }, target)) {
      return { secret, previous_valid_until: timestamp(valid_until) };
    }
  }
  throw new ServiceError('signing-secret.changed-meanwhile');
}

/** Returns the result of the rotation to this secret, if that rotation has succeeded. */
function rotated({ current, replaced = [] }: SigningSecrets, secret: SigningSecret) {
  const index = [current, ...replaced.map((one) => one.secret)].indexOf(secret);
  const previous = index < 0 ? undefined : replaced[index];
  return previous && { secret, previous_valid_until: timestamp(previous.valid_until) };
}

function tooMany(possibleAt: number, now: number): ServiceError {
  return new ServiceError('signing-secret.too-many-rotations', {
    values: { at: timestamp(possibleAt), count: maxReplaced },
    retryAfterSeconds: Math.ceil((possibleAt - now) / 1000),
  });
}
