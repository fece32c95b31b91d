import { MissingAccessToken } from '#shared/accounts/credentials-store.ts';
import { MalformedSecret } from '#shared/aws/versioned-secret.ts';
import { lazy } from '#shared/base/cache.ts';
import type { Limiter } from '#shared/base/concurrency.ts';
import { UpstreamError, type UpstreamFailure } from '#shared/base/upstream-error.ts';
import { describeFailure } from '../terminal/describe-failure.ts';

/** A check needs something that could not be read, and cannot conclude anything. */
export class Unknown extends Error {
  override readonly name = 'Unknown';
  /** A secret was read, and its content has to be stored anew. */
  readonly isMalformed: boolean;

  /** @param because continues the sentence "unknown, because …" */
  constructor(because: string, { isMalformed = false } = {}) {
    super(because);
    this.isMalformed = isMalformed;
  }
}

/** Something that doctor can read. It throws {@link Unknown} with the reason if that fails. */
export type Read<T> = () => Promise<T>;

export type Reader = ReturnType<typeof readerWithin>;

/** Makes reads, each of which takes place once, when a check first asks for it. What one needs is read before. */
export function readerWithin(limited: Limiter) {
  return <T, N extends unknown[]>(
    work: (...needs: NoInfer<N>) => Promise<T>,
    ...needs: { [Index in keyof N]: Read<N[Index]> }
  ): Read<T> =>
    lazy(async () => {
      const values = await Promise.all(needs.map((need) => need()));
      try {
        return await limited(() => work(...(values as NoInfer<N>)));
      } catch (error) {
        throw error instanceof Unknown ? error : asUnknown(error);
      }
    });
}

/** The value of a read if it can be known. */
export async function ifKnown<T>(read: Read<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
}

const upstreamReasons: Partial<Record<UpstreamFailure, string>> = {
  unreachable: 'the platform cannot be reached',
  timeout: 'the platform did not respond',
  'broken-response': 'the platform did not respond properly',
  'rate-limited': 'the platform limits our requests at the moment',
};

function asUnknown(error: unknown): Unknown {
  if (error instanceof MissingAccessToken) return new Unknown('no access token is stored');
  if (error instanceof UpstreamError) {
    const what = error.failure === 'unavailable' ? 'failed' : 'rejects the request';
    return new Unknown(upstreamReasons[error.failure] ?? `the platform ${what} (${error.message.replace(/\.$/, '')})`);
  }
  const isMalformed = error instanceof MalformedSecret;
  return new Unknown(describeFailure(error).replace(/\.$/, ''), { isMalformed });
}
