import { createHash, createHmac, type Hash, type Hmac, timingSafeEqual } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import type { SourceData } from '@smithy/types';

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

/** The parts of a request that a signature covers, as they were sent. */
export interface SignedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  /** By their names in lower case. */
  headers: ReadonlyMap<string, string>;
  /** The SHA-256 of the body in hexadecimal digits, or what S3 takes in its place. */
  payloadHash: string;
}

export type SignatureFault =
  | 'missing'
  | 'malformed'
  | 'wrong scope'
  | 'unknown key'
  | 'expired'
  | 'not yet current'
  | 'unsigned header'
  | 'different';

/** Why a signature is not accepted. The message is that of AWS's JSON protocols. */
export class SignatureError extends Error {
  readonly fault: SignatureFault;

  constructor(fault: SignatureFault, message: string) {
    super(message);
    this.name = 'SignatureError';
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
  expiresSeconds?: number;
}

const maxExpiresSeconds = 604_800;

/**
 * Verifies Signature Version 4 of a request, in its `Authorization` header or, for a presigned URL, in its query: the
 * SDK's own signer signs the request again. Returns the access key id.
 *
 * @throws SignatureError
 */
export async function verifySignature(request: SignedRequest, scope: SigningScope, signers: Signers): Promise<string> {
  const claim = isPresigned(request.query) ? readQuery(request.query) : readHeader(request.headers);
  const accessKeyId = checkCredential(claim, scope);
  const credentials = signers.credentialsOf(accessKeyId);
  if (credentials === undefined || credentials.sessionToken !== claim.sessionToken) {
    throw new SignatureError('unknown key', 'The security token included in the request is invalid.');
  }
  checkTime(claim, scope, signers.now());
  checkSignedHeaders(claim, request.headers);
  const expected = await sign(request, claim, scope, credentials);
  if (!equal(expected, claim.signature)) {
    throw new SignatureError(
      'different',
      'The request signature we calculated does not match the signature you provided. ' +
        'Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
    );
  }
  return accessKeyId;
}

/** The headers by their names in lower case. Values of the same name are joined, as they are for a signature. */
export function headersOf(lines: Iterable<readonly [name: string, value: string]>): Map<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of lines) {
    const key = name.toLowerCase();
    const former = headers.get(key);
    headers.set(key, former === undefined ? value.trim() : `${former},${value.trim()}`);
  }
  return headers;
}

export const isPresigned = (query: URLSearchParams): boolean => query.has('X-Amz-Credential');

export const sha256Hex = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

function readHeader(headers: ReadonlyMap<string, string>): Claim {
  const authorization = headers.get('authorization');
  if (authorization === undefined) throw new SignatureError('missing', 'Request is missing Authentication Token');
  const [algorithm, ...rest] = authorization.split(' ');
  if (algorithm !== 'AWS4-HMAC-SHA256') throw malformed(`Unsupported AWS 'algorithm': '${algorithm}'.`);
  const parameters = new Map(
    rest
      .join('')
      .split(',')
      .map((part): [string, string] => [part.split('=')[0] ?? '', part.slice(part.indexOf('=') + 1)]),
  );
  const read = (name: string) => {
    const value = parameters.get(name);
    if (value) return value;
    throw malformed(`Authorization header requires '${name}' parameter.`);
  };
  const date = headers.get('x-amz-date');
  if (date === undefined) {
    throw malformed("Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header.");
  }
  return {
    credential: read('Credential'),
    date,
    signedHeaders: read('SignedHeaders').split(';'),
    signature: read('Signature'),
    sessionToken: headers.get('x-amz-security-token'),
  };
}

function readQuery(query: URLSearchParams): Claim {
  const read = (name: string) => {
    const value = query.get(name);
    if (value) return value;
    throw malformed(`Query-string authentication requires the parameter ${name}.`);
  };
  if (read('X-Amz-Algorithm') !== 'AWS4-HMAC-SHA256') throw malformed('X-Amz-Algorithm must be AWS4-HMAC-SHA256.');
  const expiresSeconds = Number(read('X-Amz-Expires'));
  if (!(expiresSeconds >= 0 && expiresSeconds <= maxExpiresSeconds)) {
    throw malformed('X-Amz-Expires must be a number of seconds up to a week.');
  }
  return {
    credential: read('X-Amz-Credential'),
    date: read('X-Amz-Date'),
    signedHeaders: read('X-Amz-SignedHeaders').split(';'),
    signature: read('X-Amz-Signature'),
    sessionToken: query.get('X-Amz-Security-Token') ?? undefined,
    expiresSeconds,
  };
}

const malformed = (message: string) => new SignatureError('malformed', message);

/** Returns the access key id. */
function checkCredential({ credential, date }: Claim, { service, region }: SigningScope): string {
  const parts = credential.split('/');
  const [accessKeyId = '', day, ofRegion, ofService, terminator] = parts;
  if (parts.length !== 5 || accessKeyId === '') {
    throw malformed(
      `Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got '${credential}'`,
    );
  }
  const wrong = (message: string) => new SignatureError('wrong scope', message);
  if (terminator !== 'aws4_request') {
    throw wrong("Credential should be scoped with a valid terminator: 'aws4_request'.");
  }
  if (ofRegion !== region) throw wrong(`Credential should be scoped to a valid region, not '${ofRegion}'.`);
  if (ofService !== service) throw wrong(`Credential should be scoped to correct service: '${service}'.`);
  if (day !== date.slice(0, 8)) {
    throw wrong(`Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date: '${day}'.`);
  }
  return accessKeyId;
}

function checkTime({ date, expiresSeconds }: Claim, { windowMinutes }: SigningScope, now: number): void {
  const signedAt = readTime(date);
  if (Number.isNaN(signedAt)) throw malformed(`Date must be in ISO-8601 'basic format'. Got '${date}'.`);
  const windowMs = windowMinutes * 60_000;
  const latest = signedAt + (expiresSeconds === undefined ? windowMs : expiresSeconds * 1000);
  // The last millisecond of a window is in it, and that of a presigned URL is not.
  if (expiresSeconds === undefined ? now > latest : now >= latest) {
    throw new SignatureError(
      'expired',
      `Signature expired: ${date} is now earlier than ${amzDate(now - windowMs)} (${amzDate(now)} - ${windowMinutes} min.)`,
    );
  }
  if (signedAt > now + windowMs) {
    throw new SignatureError(
      'not yet current',
      `Signature not yet current: ${date} is still later than ${amzDate(now + windowMs)} (${amzDate(now)} + ${windowMinutes} min.)`,
    );
  }
}

/** Milliseconds since 1970 of `20260131T235959Z`; `NaN` for what is not a date. */
function readTime(date: string): number {
  const [iso] = /^\d{8}T\d{6}Z$/.exec(date) ?? [];
  return iso ? Date.parse(iso.replace(/(....)(..)(..T..)(..)(..Z)/, '$1-$2-$3:$4:$5')) : Number.NaN;
}

const amzDate = (time: number) => new Date(time).toISOString().replace(/[-:]|\.\d+/g, '');

/** Otherwise anyone who passes a request on could change its headers. */
function checkSignedHeaders({ signedHeaders }: Claim, headers: ReadonlyMap<string, string>): void {
  for (const name of ['host', ...headers.keys()]) {
    if ((name === 'host' || name.startsWith('x-amz-')) && !signedHeaders.includes(name)) {
      throw new SignatureError('unsigned header', `'${name}' must be a 'SignedHeader' in the AWS Authorization.`);
    }
  }
}

const dateHeader = 'x-amz-date';
const hashHeader = 'x-amz-content-sha256';

async function sign(
  { method, path, query, headers, payloadHash }: SignedRequest,
  { date, signedHeaders }: Claim,
  { service, region }: SigningScope,
  credentials: Credentials,
): Promise<string> {
  const { accessKeyId, secretAccessKey } = credentials;
  const signer = new SignatureV4({
    credentials: { accessKeyId, secretAccessKey },
    ...{ service, region, sha256: Sha256 },
    // S3 takes the path as it was sent, and the others encode it once more.
    uriEscapePath: service !== 's3',
  });
  const present = signedHeaders.filter((name) => headers.has(name));
  const { headers: signed } = await signer.sign(
    {
      ...{ method, path, protocol: 'http:', hostname: '' },
      query: Object.fromEntries([...query.keys()].map((name) => [name, query.getAll(name)])),
      headers: Object.fromEntries([
        ...present.map((name): [string, string] => [name, headers.get(name) ?? '']),
        [hashHeader, payloadHash],
      ]),
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

function equal(expected: string, actual: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(actual)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** SHA-256, keyed or not, in the form that the signer takes. */
export class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(key?: SourceData) {
    this.#hash = key === undefined ? createHash('sha256') : createHmac('sha256', toBytes(key));
  }

  update(data: SourceData): void {
    this.#hash.update(toBytes(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}

function toBytes(data: SourceData): string | Uint8Array {
  if (typeof data === 'string') return data;
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}
