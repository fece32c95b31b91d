import type { Clock } from '../clock.ts';
import { createSecret } from '../notifications/signature.ts';
import { type PhoneNumber, type SigningSecrets, validSecrets } from '../numbers/number.ts';
import type { NumberStore } from '../storage/numbers.ts';
import type { TargetStore } from '../storage/targets.ts';

interface Stores {
  numbers: Pick<NumberStore, 'listByWorkspace'>;
  targets: Pick<TargetStore, 'getSecrets' | 'createSecrets'>;
  now: Clock;
}

/** Each adds a signature of some fifty characters to a header. */
const mostNumbers = 20;

/**
 * The secrets that sign what is sent for a workspace rather than for one of its numbers: those of all its active
 * numbers, so that each verifies it. Where none has one yet, for want of a webhook, the first number is given one; a
 * workspace without any active number signs with those of its others.
 */
export async function signingSecrets(workspace: string, stores: Stores): Promise<string[]> {
  const { numbers, targets, now } = stores;
  const all = await numbers.listByWorkspace(workspace);
  const active = all.filter((number) => number.active);
  const signing = (active.length > 0 ? active : all).slice(0, mostNumbers);
  const known = await Promise.all(signing.map(({ id }) => targets.getSecrets(id)));
  const secrets = known.flatMap((one) => (one ? validSecrets(one, now()) : []));
  const [first] = signing;
  if (secrets.length > 0 || first === undefined) return secrets;
  return validSecrets(await firstSecrets(first, targets), now());
}

/** Of several who make a number's first secret at once, all get the same. */
async function firstSecrets({ id }: PhoneNumber, targets: Stores['targets']): Promise<SigningSecrets> {
  const made = { current: createSecret() };
  if (await targets.createSecrets(id, made)) return made;
  const others = await targets.getSecrets(id);
  if (!others) throw new Error('The secret of a number was there and is not');
  return others;
}
