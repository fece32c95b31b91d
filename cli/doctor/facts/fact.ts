import { MalformedSecret } from '#shared/adapters/secrets-manager/malformed-secret.ts';
import { MissingAccessToken } from '#shared/adapters/secrets-manager/missing-access-token.ts';
import type { Limiter } from '#shared/base/limiter.ts';
import { minuteMs } from '#shared/base/time/duration.ts';
import { OutOfTimeError, within } from '#shared/base/time/within.ts';
import { UpstreamError } from '#shared/domain/errors/upstream-error.ts';
import { describeFailure } from '../../terminal/failures.ts';

/** Something that doctor read, or the reason why it could not. */
export type Fact<T> = KnownFact<T> | Unknown;

interface KnownFact<T> {
  readonly isKnown: true;
  readonly value: T;
}

export interface Unknown {
  readonly isKnown: false;
  /** Continues the sentence "unknown, because …". */
  readonly because: string;
  /** The platform's error, if that was the reason. */
  readonly error?: UpstreamError;
  /** Nothing failed: nobody told doctor where to look. */
  readonly isUntold?: true;
  /** A secret was read, and its content has to be stored anew. */
  readonly isMalformed?: true;
}

export const factOf = <T>(value: T): KnownFact<T> => ({ isKnown: true, value });

export const unknown = (because: string): Unknown => ({ isKnown: false, because });

/** What tells doctor where everything of a deployment is. */
export const giveStage = 'give --stage <stage>';
export const addressUnknown = `the service's address is not known: ${giveStage}, or set BASE_URL`;

/** Unknown for want of an option or a variable. */
export const untold = (because: string): Unknown => ({ ...unknown(because), isUntold: true });

/** No read takes longer. */
const timeoutMs = minuteMs / 2;

/** Reads facts, a few at once. */
export interface Reader {
  /** Reads something; a failure becomes the reason why it is unknown. */
  read<T>(work: () => Promise<T>): Promise<Fact<T>>;
  /** Reads something that depends on another fact, and is unknown for the same reason. */
  readFrom<A, B>(fact: Fact<A>, work: (value: A) => Promise<B>): Promise<Fact<B>>;
}

export function openReader(limited: Limiter): Reader {
  async function read<T>(work: () => Promise<T>): Promise<Fact<T>> {
    try {
      return factOf(await limited(() => within(timeoutMs, work())));
    } catch (error) {
      if (error instanceof MissingAccessToken) return unknown('no access token is stored');
      return {
        ...unknown(reasonOf(error)),
        ...(error instanceof UpstreamError && { error }),
        ...(error instanceof MalformedSecret && { isMalformed: true }),
      };
    }
  }
  return { read, readFrom: async (fact, work) => (fact.isKnown ? read(() => work(fact.value)) : fact) };
}

/** What is known follows from another fact, or is unknown for the same reason. */
export function derive<A, B>(fact: Fact<A>, work: (value: A) => B): Fact<B> {
  return fact.isKnown ? factOf(work(fact.value)) : fact;
}

function reasonOf(error: unknown): string {
  if (error instanceof OutOfTimeError) return `it took longer than ${timeoutMs / 1000} seconds`;
  if (!(error instanceof UpstreamError)) return describeFailure(error).replace(/\.$/, '');
  const message = error.message.replace(/\.$/, '');
  switch (error.failure) {
    case 'unreachable':
      return 'the platform cannot be reached';
    case 'timeout':
      return 'the platform did not respond';
    case 'broken-response':
      return 'the platform did not respond properly';
    case 'rate-limited':
      return 'the platform limits our requests at the moment';
    case 'unavailable':
      return `the platform failed (${message})`;
    case 'credentials':
    case 'rejected':
    case 'forbidden':
      return `the platform rejects the request (${message})`;
  }
}
