import { AwsError } from '../base/aws-error.ts';
import type { S3Request } from './s3-request.ts';

/** What an operation reads in a request in addition to its path and its body. A `*` stands for any ending. */
interface Understood {
  query?: readonly string[];
  headers?: readonly string[];
}

const everywhere: Required<Understood> = {
  query: ['X-Amz-*', 'x-id'],
  headers: ['x-amz-content-sha256', 'x-amz-date', 'x-amz-security-token', 'x-amz-user-agent'],
};

/** Other headers, such as those of proxies, may be ignored. */
const concernsS3 = /^(x-amz-|if-)/;

const body = [
  'x-amz-checksum-crc32',
  'x-amz-decoded-content-length',
  'x-amz-sdk-checksum-algorithm',
  'x-amz-trailer',
] as const;
const metadata = 'x-amz-meta-*';
const reading: Understood = {
  query: ['response-*'],
  headers: ['if-match', 'if-modified-since', 'if-none-match', 'if-range', 'if-unmodified-since', 'x-amz-checksum-mode'],
};

/** By operation, as in the table of operations. */
const understood: Readonly<Record<string, Understood>> = {
  'GET bucket': { query: ['list-type', 'prefix', 'max-keys', 'continuation-token', 'start-after'] },
  'GET object': reading,
  'HEAD object': reading,
  'PUT object': { headers: [...body, 'if-match', 'if-none-match', metadata] },
  'PUT object copy': {
    headers: ['if-match', 'if-none-match', 'x-amz-copy-source', 'x-amz-metadata-directive', metadata],
  },
  'POST uploads': { query: ['uploads'], headers: ['x-amz-checksum-algorithm', metadata] },
  'PUT upload': { query: ['uploadId', 'partNumber'], headers: body },
  'POST upload': { query: ['uploadId'] },
  'DELETE upload': { query: ['uploadId'] },
};

/** The only checksum that is calculated here. */
const values: Readonly<Record<string, string>> = {
  'x-amz-checksum-algorithm': 'CRC32',
  'x-amz-sdk-checksum-algorithm': 'CRC32',
  'x-amz-trailer': 'x-amz-checksum-crc32',
};

const matches = (patterns: readonly string[], name: string) =>
  patterns.some((pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern));

/**
 * Throws `AwsError` `NotImplemented` for a parameter or a header that the operation would ignore, and
 * `AccessControlListNotSupported` for an access control list: the owner of a bucket owns its objects.
 */
export function demandUnderstood(operation: string, { query, http }: S3Request): void {
  const { query: names = [], headers = [] } = understood[operation] ?? {};
  const knownNames = [...everywhere.query, ...names];
  const knownHeaders = [...everywhere.headers, ...headers];
  if (http.headers['x-amz-acl'] !== undefined && http.headers['x-amz-acl'] !== 'bucket-owner-full-control') {
    throw new AwsError('AccessControlListNotSupported', 'The bucket does not allow ACLs');
  }
  const unknown =
    [...query.keys()].find((name) => !matches(knownNames, name)) ??
    Object.keys(http.headers).find((name) => concernsS3.test(name) && !matches(knownHeaders, name)) ??
    Object.keys(values).find((name) => http.headers[name] !== undefined && http.headers[name] !== values[name]);
  if (unknown !== undefined) {
    throw new AwsError('NotImplemented', `The local S3 does not know ${unknown} of ${operation}`, 501);
  }
}
