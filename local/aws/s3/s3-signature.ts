import type { IncomingMessage } from 'node:http';
import { AwsError } from '../base/aws-error.ts';
import {
  headersOf,
  isPresigned,
  SignatureError,
  type SignatureFault,
  type Signers,
  verifySignature,
} from '../base/signatures/signature-v4.ts';

/** The header with the hash of the body, or with what S3 takes in its place. */
export const contentHash = 'x-amz-content-sha256';

/** The body is not signed. S3 also takes chunks that each have a signature, which the SDK for JavaScript never sends. */
const unsignedPayloads = ['UNSIGNED-PAYLOAD', 'STREAMING-UNSIGNED-PAYLOAD-TRAILER'];

interface S3Fault {
  code: string;
  /** In place of that of AWS's JSON protocols. */
  message?: string;
  status: number;
}

const denied = (message: string): S3Fault => ({ code: 'AccessDenied', message, status: 403 });

const headerFaults: Record<SignatureFault, S3Fault> = {
  missing: denied('Access Denied'),
  malformed: { code: 'AuthorizationHeaderMalformed', status: 400 },
  'wrong scope': { code: 'AuthorizationHeaderMalformed', status: 400 },
  'unknown key': {
    code: 'InvalidAccessKeyId',
    message: 'The AWS Access Key Id you provided does not exist in our records.',
    status: 403,
  },
  expired: {
    code: 'RequestTimeTooSkewed',
    message: 'The difference between the request time and the current time is too large.',
    status: 403,
  },
  'not yet current': {
    code: 'RequestTimeTooSkewed',
    message: 'The difference between the request time and the current time is too large.',
    status: 403,
  },
  'unsigned header': denied('There were headers present in the request which were not signed'),
  different: {
    code: 'SignatureDoesNotMatch',
    message:
      'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
    status: 403,
  },
};

const presignedFaults: Record<SignatureFault, S3Fault> = {
  ...headerFaults,
  malformed: { code: 'AuthorizationQueryParametersError', status: 400 },
  'wrong scope': { code: 'AuthorizationQueryParametersError', status: 400 },
  expired: denied('Request has expired'),
  'not yet current': denied('Request is not yet valid'),
};

/**
 * Verifies the signature of a request in its `Authorization` header or, for a presigned URL, in its query. Returns the
 * access key id. The body is compared with the signed hash when it has been read.
 *
 * @throws AwsError
 */
export async function verifyS3Request(
  { method = 'GET', headers: { authorization }, rawHeaders }: IncomingMessage,
  { path, query }: { path: string; query: URLSearchParams },
  { region, signers }: { region: string; signers: Signers },
): Promise<string> {
  const presigned = isPresigned(query);
  if (presigned && authorization !== undefined) {
    throw new AwsError(
      'InvalidArgument',
      'Only one auth mechanism allowed: a presigned URL, or an Authorization header',
    );
  }
  const headers = headersOf(Array.from({ length: rawHeaders.length / 2 }, (_, at) => pairAt(rawHeaders, at)));
  const payloadHash = presigned || authorization === undefined ? 'UNSIGNED-PAYLOAD' : payloadHashOf(headers);
  try {
    const request = { method, path, query, headers, payloadHash };
    return await verifySignature(request, { service: 's3', region, windowMinutes: 15 }, signers);
  } catch (error) {
    if (!(error instanceof SignatureError)) throw error;
    const { code, message = error.message, status } = (presigned ? presignedFaults : headerFaults)[error.fault];
    throw new AwsError(code, message, status);
  }
}

const pairAt = (list: readonly string[], at: number): [string, string] => [list[2 * at] ?? '', list[2 * at + 1] ?? ''];

function payloadHashOf(headers: ReadonlyMap<string, string>): string {
  const hash = headers.get(contentHash);
  if (hash === undefined) {
    throw new AwsError('InvalidRequest', `Missing required header for this request: ${contentHash}`);
  }
  if (hash.startsWith('STREAMING-AWS4-')) {
    throw new AwsError('NotImplemented', 'The local S3 does not know chunks with signatures.', 501);
  }
  if (!unsignedPayloads.includes(hash) && !isHash(hash)) {
    throw new AwsError('InvalidArgument', `${contentHash} must be ${unsignedPayloads.join(', ')} or a SHA-256 value.`);
  }
  return hash;
}

export const isHash = (text: unknown): text is string => typeof text === 'string' && /^[0-9a-f]{64}$/.test(text);
