import type { PhoneNumber } from './number.ts';
import type { StoredHeaders } from './receiver-headers.ts';
import type { SigningSecrets } from './signing-secrets.ts';
import type { Subscriber } from './subscriber.ts';
import type { Target } from './target.ts';

/** What of a subscriber only those may read that sign or rotate. */
export interface SubscriberSecrets extends SigningSecrets {
  /** The receivers' own headers, by target. */
  headers: Partial<Record<Target, StoredHeaders>>;
}

export interface NumberWithSecrets {
  number: PhoneNumber;
  secrets: SigningSecrets;
}

/** The secrets of subscribers, which begin with the subscriber. */
export interface SecretStore {
  /** Reads the secrets, consistently; `undefined` when the subscriber does not exist. */
  get(subscriber: string): Promise<SubscriberSecrets | undefined>;
  /** Reads the numbers of a workspace with their secrets, consistently: one query, then 25 numbers in each call. */
  listByWorkspace(workspace: string): AsyncGenerator<NumberWithSecrets>;
  /**
   * Replaces the signing secrets if the current one is `expected`, and notes that for each target of the subscriber, in
   * one write: every process then reads them again. `false` when another request changed them meanwhile, or this write
   * is a repeat.
   */
  replace(
    subscriber: Pick<Subscriber, 'id' | 'workspace'>,
    expected: string,
    secrets: SigningSecrets,
  ): Promise<boolean>;
}
