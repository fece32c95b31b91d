import type { BusinessAccount, SubscribedApp } from '#cli/platform/objects.ts';
import type { Upstream } from '../../upstream.ts';
import type { Fact, Reader } from './fact.ts';

/** A business account, as one of the credentials sees it. */
export interface AccountFacts {
  wabaId: string;
  subject: string;
  /** A workspace that uses the account. */
  workspace: string;
  /** Some active number of the account, for the commands that need one. */
  number: string | undefined;
  account: Fact<BusinessAccount>;
  subscribedApps: Fact<SubscribedApp[]>;
  /** The share of the calls of Graph that is used, in percent. */
  usage: Fact<number | undefined>;
  /** The position of its credentials among the apps. */
  app: number;
}

export async function readAccount(
  place: Pick<AccountFacts, 'wabaId' | 'subject' | 'workspace' | 'number' | 'app'>,
  { management }: Upstream,
  { read }: Reader,
): Promise<AccountFacts> {
  const [account, subscribedApps, usage] = await Promise.all([
    read(() => management.businessAccount(place.wabaId)),
    read(() => management.subscribedApps(place.wabaId)),
    read(() => management.usage(place.wabaId)),
  ]);
  return { ...place, account, subscribedApps, usage };
}
