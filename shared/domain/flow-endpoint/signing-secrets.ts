import type { Clock } from '#shared/base/clock.ts';
import { type PhoneNumber, type SigningSecrets, validSecrets } from '../accounts/number.ts';
import type { NumberWithSecrets, TargetStore } from '../deliveries/target-store.ts';
import { createSecret } from '../signing/webhook-signature.ts';

interface Stores {
  targets: Pick<TargetStore, 'listWithSecrets' | 'getSecrets' | 'createSecrets'>;
  now: Clock;
}

/** Each secret adds a signature of some fifty characters to a header. */
const mostNumbers = 20;

/**
 * The secrets that sign what is sent for a workspace rather than for one of its numbers: those of all its active
 * numbers, as they are now, so that each verifies it. Where none has one yet, for want of a webhook, the first number
 * is given one; a workspace without any active number signs with those of its others.
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
    if (active.length === mostNumbers) break;
  }
  return active.length > 0 ? active : others.slice(0, mostNumbers);
}

/** Of several who make a number's first secret at once, all get the same. */
async function firstSecrets({ id }: PhoneNumber, targets: Stores['targets']): Promise<SigningSecrets> {
  const made = { current: createSecret() };
  if (await targets.createSecrets(id, made)) return made;
  const others = await targets.getSecrets(id);
  if (!others) throw new Error('The secret of a number was there and is not');
  return others;
}
