import { randomInt } from 'node:crypto';
import { tokenStore } from '#shared/adapters/dynamodb/accounts/tokens.ts';
import { workspaceStore } from '#shared/adapters/dynamodb/accounts/workspaces.ts';
import { numberStore } from '#shared/adapters/dynamodb/subscribers/numbers.ts';
import { targetStore } from '#shared/adapters/dynamodb/subscribers/targets.ts';
import { newId } from '#shared/base/ids.ts';
import { hashToken } from '#shared/domain/accounts/token.ts';
import { createSecret } from '#shared/domain/signing/webhook-signature.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import type { Target } from '#shared/domain/subscribers/target.ts';
import type { Character, Receivers } from './receivers.ts';
import type { SoakWorld } from './soak-world.ts';

/** A number with its owner's URLs and the behaviour of its receiver. */
export interface Customer {
  number: PhoneNumber;
  character: Character;
  urls: Partial<Record<Target, string>>;
  /** Runs the work exclusively for this customer: no other work runs at the same time. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

const characters: readonly Character[] = [
  'healthy',
  'healthy',
  'failing',
  'hanging',
  'slow',
  'closing',
  'changing',
  'changing',
];

/**
 * Creates numbers in a workspace of their own, so that publishing Flows elsewhere does not query the upstream about
 * them.
 */
export async function createCustomers(world: SoakWorld, receivers: Receivers): Promise<Customer[]> {
  const table = world.table();
  const workspace = newId();
  const owner = await tokenStore(table).get(hashToken(world.description().tokens.owner));
  await workspaceStore(table).create({ id: workspace, name: 'Soak', waba_id: null, created_at: Date.now() });
  await workspaceStore(table).putMember({ workspace, user: owner?.user ?? '', role: 'owner' });
  return Promise.all(
    characters.map(async (character, index) => {
      const number: PhoneNumber = {
        id: newId(),
        workspace,
        phone_number_id: String(randomInt(10 ** 13, 10 ** 14)),
        display_phone_number: `+1555000${1000 + index}`,
        active: true,
        calling_enabled: false,
        created_at: Date.now(),
      };
      const secret = createSecret();
      await numberStore(table).create(number, secret);
      receivers.add(number.id, { character, secrets: [secret] });
      const urls: Customer['urls'] = { webhook: `${receivers.url}/${number.id}/webhook/0` };
      if (index % 2 === 0) urls.secondary_webhook = `${receivers.url}/${number.id}/secondary_webhook/0`;
      await targetStore(table).setUrls(number.id, urls);
      return { number, character, urls, alone: oneAtATime() };
    }),
  );
}

function oneAtATime(): Customer['alone'] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}
