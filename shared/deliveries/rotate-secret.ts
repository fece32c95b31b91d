import type { Clock } from '../clock.ts';
import { createSecret, type SigningSecret } from '../notifications/signature.ts';
import { ServiceError } from '../service-error.ts';
import type { TargetStore } from '../storage/targets.ts';
import { deliveryTexts } from './texts.ts';

/** How long the secret before signs along with the new one. */
const overlapMs = 24 * 3_600_000;

interface Rotated {
  secret: SigningSecret;
  /** Epoch milliseconds; `null` when there was no secret before. */
  previousValidUntil: number | null;
}

/** Gives a number a new signing secret. Of two at once one is `busy`: it would end the overlap of the other. */
export async function rotateSecret(
  number: string,
  { targets, now }: { targets: Pick<TargetStore, 'getSecrets' | 'createSecrets' | 'replaceSecrets'>; now: Clock },
): Promise<Rotated> {
  const secret = createSecret();
  const known = await targets.getSecrets(number);
  const previousValidUntil = known ? now() + overlapMs : null;
  const done =
    known && previousValidUntil !== null
      ? await targets.replaceSecrets(number, known.current, {
          current: secret,
          previous: known.current,
          previous_valid_until: previousValidUntil,
        })
      : await targets.createSecrets(number, { current: secret });
  if (!done) throw new ServiceError('busy', deliveryTexts.rotating);
  return { secret, previousValidUntil };
}
