import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  /** Temporary credentials have one, and it must come with every request. */
  sessionToken?: string;
}

/** Who may sign requests, and the clock by which their signatures are young enough. */
export interface Signers {
  /** Undefined if the access key does not exist. */
  credentialsOf(accessKeyId: string): Credentials | undefined;
  /** Milliseconds since 1970. */
  now(): number;
}

/** What the signatures of a service's requests are made for. */
export interface SigningScope {
  service: string;
  region: string;
  /** How far the time of a request may be off. */
  windowMinutes: number;
}

/** A request as it was sent, or the parts of one that a signature covers. */
export type SignedRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

export type SignatureFault = 'missing' | 'malformed' | 'unknown key' | 'wrong time' | 'different';

/** Why a signature is not accepted. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
  readonly fault: SignatureFault;

  constructor(fault: SignatureFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** What a request says about its signature, in its `Authorization` header or its query. */
interface Claim {
  credential: string;
  /** As in `20260131T235959Z`. */
  date: string;
  signedHeaders: readonly string[];
  signature: string;
  sessionToken: string | undefined;
  /** Only a presigned URL says how long it is valid. */
  expiresSeconds: number | undefined;
}

const maxExpiresSeconds = 604_800;
const dateHeader = 'x-amz-date';
const hashHeader = 'x-amz-content-sha256';

/**
 * Verifies Signature Version 4 of a request, in its `Authorization` header or, for a presigned URL, in its query: the
 * SDK's own signer signs the request again. Returns the access key id.
 *
 * @param payloadHash the SHA-256 of the body in hexadecimal digits, or what S3 takes in its place
 * @throws SignatureError
 */
export async function verifySignature(
  request: SignedRequest,
  payloadHash: string,
  scope: SigningScope,
  signers: Signers,
): Promise<string> {
  const claim = readClaim(request);
  const accessKeyId = checkCredential(claim, scope);
  const credentials = signers.credentialsOf(accessKeyId);
  if (credentials === undefined || credentials.sessionToken !== claim.sessionToken) {
    throw new SignatureError('unknown key', 'The security token included in the request is invalid.');
  }
  checkTime(claim, scope, signers.now());
  // Otherwise anyone who passes a request on could change its headers.
  const unsigned = Object.keys(request.headers).find(
    (name) => (name === 'host' || name.startsWith('x-amz-')) && !claim.signedHeaders.includes(name),
  );
  if (unsigned !== undefined) throw new SignatureError('different', `The header ${unsigned} is not signed.`);
  const expected = Buffer.from(await sign(request, payloadHash, claim, scope, credentials));
  const actual = Buffer.from(claim.signature);
  if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) {
    throw new SignatureError(
      'different',
      'The signature does not match the request. Check the secret access key, and how the request is signed.',
    );
  }
  return accessKeyId;
}

export const isPresigned = ({ url = '' }: SignedRequest): boolean => queryOf(url).has('X-Amz-Credential');

export const sha256Hex = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

const queryOf = (url: string) => new URLSearchParams(url.slice(pathOf(url).length + 1));

const pathOf = (url: string) => url.split('?', 1).join('');

function readClaim(request: SignedRequest): Claim {
  const { url = '', headers } = request;
  const query = queryOf(url);
  const presigned = isPresigned(request);
  const { authorization = '' } = headers;
  if (!presigned && authorization === '') {
    throw new SignatureError('missing', 'Request is missing Authentication Token');
  }
  const algorithm = presigned ? query.get('X-Amz-Algorithm') : authorization.split(' ', 1).join('');
  if (algorithm !== 'AWS4-HMAC-SHA256') throw malformed(`The local AWS does not know the algorithm ${algorithm}.`);
  const read = (name: string) => {
    const inHeader = new RegExp(`\\b${name}=([^,\\s]+)`).exec(authorization)?.[1];
    const value = presigned ? query.get(`X-Amz-${name}`) : inHeader;
    if (value) return value;
    throw malformed(`The signature has no ${name}.`);
  };
  const date = presigned ? read('Date') : headers[dateHeader];
  if (date === undefined) throw malformed(`The request has no ${dateHeader}.`);
  const expiresSeconds = presigned ? Number(read('Expires')) : undefined;
  if (expiresSeconds !== undefined && !(expiresSeconds >= 0 && expiresSeconds <= maxExpiresSeconds)) {
    throw malformed('X-Amz-Expires must be a number of seconds up to a week.');
  }
  const sessionToken = presigned ? query.get('X-Amz-Security-Token') : headers['x-amz-security-token'];
  return {
    credential: read('Credential'),
    date: String(date),
    signedHeaders: read('SignedHeaders').split(';'),
    signature: read('Signature'),
    sessionToken: sessionToken?.toString(),
    expiresSeconds,
  };
}

const malformed = (message: string) => new SignatureError('malformed', message);

/** Returns the access key id. */
function checkCredential({ credential, date }: Claim, { service, region }: SigningScope): string {
  const [accessKeyId = '', ...rest] = credential.split('/');
  const expected = [date.slice(0, 8), region, service, 'aws4_request'].join('/');
  if (accessKeyId !== '' && rest.join('/') === expected) return accessKeyId;
  throw malformed(`The credential must be an access key id and /${expected}, not ${credential}.`);
}

function checkTime({ date, expiresSeconds }: Claim, { windowMinutes }: SigningScope, now: number): void {
  const signedAt = readTime(date);
  if (Number.isNaN(signedAt)) throw malformed(`The date ${date} is not in ISO 8601's basic format.`);
  const windowMs = windowMinutes * 60_000;
  const validMs = expiresSeconds === undefined ? windowMs : expiresSeconds * 1000 - 1;
  if (now > signedAt + validMs) throw new SignatureError('wrong time', `The signature of ${date} has expired.`);
  if (now < signedAt - windowMs) throw new SignatureError('wrong time', `The signature of ${date} is not valid yet.`);
}

/** Milliseconds since 1970 of `20260131T235959Z`; `NaN` for what is not a date. */
function readTime(date: string): number {
  const [iso] = /^\d{8}T\d{6}Z$/.exec(date) ?? [];
  return iso ? Date.parse(iso.replace(/(....)(..)(..T..)(..)(..Z)/, '$1-$2-$3:$4:$5')) : Number.NaN;
}

async function sign(
  { method = 'GET', url = '/', headers }: SignedRequest,
  payloadHash: string,
  { date, signedHeaders }: Claim,
  { service, region }: SigningScope,
  { accessKeyId, secretAccessKey }: Credentials,
): Promise<string> {
  // S3 takes the path as it was sent, and the others encode it once more.
  const uriEscapePath = service !== 's3';
  const credentials = { accessKeyId, secretAccessKey };
  const signer = new SignatureV4({ credentials, service, region, sha256: Sha256, uriEscapePath });
  const present = signedHeaders.filter((name) => headers[name] !== undefined);
  const query = queryOf(url);
  const { headers: signed } = await signer.sign(
    {
      ...{ method, path: pathOf(url), protocol: 'http:', hostname: '' },
      query: Object.fromEntries([...query.keys()].map((name) => [name, query.getAll(name)])),
      headers: {
        ...Object.fromEntries(present.map((name) => [name, String(headers[name])])),
        [hashHeader]: payloadHash,
      },
    },
    {
      signingDate: new Date(readTime(date)),
      signableHeaders: new Set(present),
      // The signer would add them to what is signed.
      unsignableHeaders: new Set([dateHeader, hashHeader].filter((name) => !present.includes(name))),
    },
  );
  return /Signature=(\w+)$/.exec(signed.authorization ?? '')?.[1] ?? '';
}
