import type { Clock } from '#shared/base/time.ts';
import type { NumberWithSecrets, SecretStore } from '#shared/webhooks/secret-store.ts';
import { validSecrets } from '#shared/webhooks/signing-secrets.ts';

interface Context {
  secrets: Pick<SecretStore, 'listByWorkspace'>;
  now: Clock;
}

/** The limit bounds a header: each secret adds a signature of some fifty characters. */
const maxNumbers = 20;

/**
 * The secrets that sign requests for a whole workspace rather than for one of its numbers: the valid secrets of all its
 * active numbers, so that each of them verifies the signature. A workspace without active numbers signs with the
 * secrets of its inactive ones.
 */
export async function signingSecrets(workspace: string, { secrets, now }: Context): Promise<string[]> {
  const signing = await signingNumbers(workspace, secrets);
  return signing.flatMap((number) => validSecrets(number.secrets, now()));
}

async function signingNumbers(workspace: string, secrets: Context['secrets']): Promise<NumberWithSecrets[]> {
  const active: NumberWithSecrets[] = [];
  const others: NumberWithSecrets[] = [];
  for await (const one of secrets.listByWorkspace(workspace)) {
    (one.number.active ? active : others).push(one);
    if (active.length === maxNumbers) break;
  }
  return active.length > 0 ? active : others.slice(0, maxNumbers);
}
