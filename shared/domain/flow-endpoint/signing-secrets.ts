import type { Clock } from '#shared/base/clock.ts';
import type { PhoneNumber } from '../accounts/number.ts';
import { type SigningSecrets, validSecrets } from '../accounts/subscriber.ts';
import type { NumberWithSecrets, TargetStore } from '../deliveries/target-store.ts';
import { createSecret } from '../signing/webhook-signature.ts';

interface Stores {
  targets: Pick<TargetStore, 'listWithSecrets' | 'getSecrets' | 'createSecrets'>;
  now: Clock;
}

/** The limit bounds a header: each secret adds a signature of some fifty characters. */
const maxNumbers = 20;

/**
 * The secrets that sign requests for a whole workspace rather than for one of its numbers: the valid secrets of all its
 * active numbers, so that each of them verifies the signature. If no number has a secret yet, because none has a
 * webhook, the first number gets one. A workspace without active numbers signs with the secrets of its inactive ones.
 */
export async function signingSecrets(workspace: string, { targets, now }: Stores): Promise<string[]> {
  const signing = await signingNumbers(workspace, targets);
  const secrets = signing.flatMap((one) => (one.secrets ? validSecrets(one.secrets, now()) : []));
  const [first] = signing;
  if (secrets.length > 0 || first === undefined) return secrets;
  return validSecrets(await firstSecrets(first.number, targets), now());
}

async function signingNumbers(workspace: string, targets: Stores['targets']): Promise<NumberWithSecrets[]> {
  const active: NumberWithSecrets[] = [];
  const others: NumberWithSecrets[] = [];
  for await (const one of targets.listWithSecrets(workspace)) {
    (one.number.active ? active : others).push(one);
    if (active.length === maxNumbers) break;
  }
  return active.length > 0 ? active : others.slice(0, maxNumbers);
}

/** Creates a number's first secret. If several requests do so at the same time, all get the same secret. */
async function firstSecrets({ id }: PhoneNumber, targets: Stores['targets']): Promise<SigningSecrets> {
  const made = { current: createSecret() };
  if (await targets.createSecrets(id, made)) return made;
  const others = await targets.getSecrets(id);
  if (!others) throw new Error('The secret of a number was there and is not');
  return others;
}
