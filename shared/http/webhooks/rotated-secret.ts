import * as z from 'zod/mini';
import { timestamp } from '#shared/base/time/clock.ts';
import type { Subscriber } from '#shared/domain/subscribers/subscriber.ts';
import { type RotationContext, rotateSecret } from '#shared/domain/webhooks/rotate-secret.ts';
import { describeComponent } from '../contract/contract.ts';
import { dateTime } from '../contract/schemas.ts';

/** A new signing secret, which only this response shows. */
export const rotatedSecretSchema = z.object({ secret: z.string(), previous_valid_until: dateTime });
/* @__PURE__ */ describeComponent('SigningSecret', rotatedSecretSchema, () => ({
  secret: 'The new signing secret: `whsec_` and the key in base64. Shown only in this response.',
  previous_valid_until: 'The time until which the previous secret also signs.',
}));

/** Rotates the signing secret of a subscriber. */
export async function rotatedSecret(subscriber: Subscriber, context: RotationContext) {
  const { secret, previousValidUntil } = await rotateSecret(subscriber, context);
  return { secret, previous_valid_until: timestamp(previousValidUntil) };
}
