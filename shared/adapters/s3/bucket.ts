import { lazy } from '#shared/base/lazy.ts';
import { clientConfig } from '../aws-sdk/client-config.ts';
import type { Connection } from '../aws-sdk/connection.ts';

/** Milliseconds for one attempt, until S3 begins to respond. */
const attemptMs = 4_000;

export type Bucket = ReturnType<typeof openBucket>;

/**
 * A bucket, and how to open the one client of S3 that all its users share. The client is larger than most functions and
 * rarely needed, so it is loaded on first use.
 */
export function openBucket(name: string, connection: Connection) {
  const open = lazy(async () => {
    const s3 = await import('@aws-sdk/client-s3');
    const client = new s3.S3Client({
      // Files can be large, so they are read as they arrive.
      ...clientConfig(connection, attemptMs, { streams: true }),
      expectContinueHeader: false,
      useArnRegion: false,
      disableMultiregionAccessPoints: true,
      disableS3ExpressSessionAuth: true,
      sigv4aSigningRegionSet: undefined,
      // Otherwise links would contain checksums, which are useless to their readers. Calls that need one ask for it.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
    return { s3, client };
  });
  return { name, open };
}
