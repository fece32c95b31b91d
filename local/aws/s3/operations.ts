import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { AwsError } from '../base/aws-error.ts';
import { parseRange } from '../base/http/byte-range.ts';
import { sha256Hex } from '../base/signatures/signature-v4.ts';
import type { Bucket, StoredObject } from './bucket.ts';
import type { MultipartUploads } from './multipart-uploads.ts';
import { type ObjectFile, removeObjectFile, writeObjectFile } from './object-file.ts';
import type { S3Request } from './s3-request.ts';
import { type XmlElements, xmlDocument, xmlTexts } from './xml.ts';

export interface S3Context {
  buckets: Map<string, Bucket>;
  uploads: MultipartUploads;
}

type Operation = (request: S3Request, bucket: Bucket, uploads: MultipartUploads) => Promise<void> | void;

const pageKeys = 1000;

/** Responds to an S3 request, or throws `AwsError`. */
export async function respondToS3(request: S3Request, { buckets, uploads }: S3Context): Promise<void> {
  const bucket = buckets.get(request.bucket);
  if (bucket === undefined) throw new AwsError('NoSuchBucket', 'The specified bucket does not exist', 404);
  await findOperation(request)(request, bucket, uploads);
}

const operations: Record<string, Operation> = {
  'GET bucket': listObjects,
  'GET object': getObject,
  'HEAD object': getObject,
  'PUT object': putObject,
  'DELETE object': deleteObject,
  'POST uploads': createMultipartUpload,
  'PUT upload': uploadPart,
  'POST upload': completeMultipartUpload,
  'DELETE upload': abortMultipartUpload,
};

const knownParameters =
  /^(X-Amz-.*|x-id|response-.*|list-type|prefix|max-keys|continuation-token|uploads|uploadId|partNumber)$/;
/** These would make another operation of it, or one that may not happen. */
const unknownHeaders = ['x-amz-copy-source', 'if-match', 'if-none-match'];

function findOperation({ method, key, query, http }: S3Request): Operation {
  const target = key === '' ? 'bucket' : query.has('uploadId') ? 'upload' : query.has('uploads') ? 'uploads' : 'object';
  const operation = operations[`${method} ${target}`];
  const unknown =
    unknownHeaders.find((name) => http.headers[name] !== undefined) ??
    [...query.keys()].find((name) => !knownParameters.test(name));
  if (operation === undefined || unknown !== undefined) {
    throw new AwsError('NotImplemented', `The local S3 does not know ${unknown ?? `${method} ${http.url}`}`, 501);
  }
  return operation;
}

function listObjects({ response, query, demandAccess }: S3Request, bucket: Bucket): void {
  const prefix = query.get('prefix') ?? '';
  demandAccess('ListBucket', bucket.name, { 's3:prefix': [prefix] });
  const token = query.get('continuation-token') ?? undefined;
  const maxKeys = Math.min(Number(query.get('max-keys') ?? pageKeys), pageKeys);
  const rest = bucket.list(prefix, Buffer.from(token ?? '', 'base64url'));
  const shown = rest.slice(0, maxKeys);
  const last = shown.at(-1);
  const isTruncated = last !== undefined && shown.length < rest.length;
  respondXml(response, 'ListBucketResult', {
    Name: bucket.name,
    Prefix: prefix,
    KeyCount: shown.length,
    MaxKeys: maxKeys,
    IsTruncated: isTruncated,
    ContinuationToken: token,
    NextContinuationToken: isTruncated ? Buffer.from(last.key).toString('base64url') : undefined,
    Contents: shown.map(({ key, object }) => ({
      Key: key,
      LastModified: new Date(object.lastModified).toISOString(),
      ETag: `"${object.etag}"`,
      Size: object.size,
      StorageClass: 'STANDARD',
    })),
  });
}

async function getObject(request: S3Request, bucket: Bucket): Promise<void> {
  const { http, response, method, query } = request;
  const object = demandObject(request, bucket);
  const etag = `"${object.etag}"`;
  const { range: wanted, 'if-range': ifRange = etag } = http.headers;
  const range = ifRange === etag ? parseRange(wanted, object.size) : undefined;
  if (range === 'unsatisfiable') {
    response.setHeader('content-range', `bytes */${object.size}`);
    throw new AwsError('InvalidRange', 'The requested range is not satisfiable', 416);
  }
  response.setHeader('etag', etag);
  response.setHeader('last-modified', new Date(object.lastModified).toUTCString());
  for (const [name, value] of Object.entries({ ...object.headers, ...overrides(query) })) {
    response.setHeader(name, value);
  }
  response.setHeader('accept-ranges', 'bytes');
  response.setHeader('content-length', range ? range.end - range.start + 1 : object.size);
  if (range) response.setHeader('content-range', `bytes ${range.start}-${range.end}/${object.size}`);
  else if (object.crc32 && http.headers['x-amz-checksum-mode'] === 'ENABLED') {
    response.setHeader('x-amz-checksum-crc32', object.crc32);
  }
  response.statusCode = range ? 206 : 200;
  if (method === 'HEAD') response.end();
  else await pipeline(bucket.read(object, range), response);
}

async function putObject(request: S3Request, bucket: Bucket): Promise<void> {
  const { http, response, key } = request;
  request.demandAccess('PutObject', `${bucket.name}/${key}`);
  const file = await receiveFile(request, bucket);
  const etag = file.md5.toString('hex');
  await bucket.put(key, file, { headers: headersToStore(http.headers), etag, crc32: crc32Header(file) });
  response.writeHead(200, { etag: `"${etag}"`, 'x-amz-checksum-crc32': crc32Header(file) }).end();
}

async function deleteObject({ response, key, demandAccess }: S3Request, bucket: Bucket): Promise<void> {
  demandAccess('DeleteObject', `${bucket.name}/${key}`);
  await bucket.delete(key);
  response.writeHead(204).end();
}

function createMultipartUpload(request: S3Request, bucket: Bucket, uploads: MultipartUploads): void {
  const { http, response, key } = request;
  request.demandAccess('PutObject', `${bucket.name}/${key}`);
  const uploadId = uploads.create(bucket, key, headersToStore(http.headers));
  respondXml(response, 'InitiateMultipartUploadResult', { Bucket: bucket.name, Key: key, UploadId: uploadId });
}

async function uploadPart(request: S3Request, bucket: Bucket, uploads: MultipartUploads): Promise<void> {
  const { response, key, query } = request;
  request.demandAccess('PutObject', `${bucket.name}/${key}`);
  const upload = uploads.find(bucket, key, query.get('uploadId'));
  const file = await receiveFile(request, bucket);
  await uploads.addPart(upload, Number(query.get('partNumber')), file);
  response.writeHead(200, { etag: `"${file.md5.toString('hex')}"` }).end();
}

async function completeMultipartUpload(request: S3Request, bucket: Bucket, uploads: MultipartUploads): Promise<void> {
  const { http, response, key, query } = request;
  request.demandAccess('PutObject', `${bucket.name}/${key}`);
  const upload = uploads.find(bucket, key, query.get('uploadId'));
  const body = await buffer(http);
  checkContentHash(request, sha256Hex(body));
  const xml = body.toString();
  const etags = xmlTexts(xml, 'ETag').map((etag) => etag.replaceAll('"', ''));
  const parts = xmlTexts(xml, 'PartNumber').map((number, index) => ({
    partNumber: Number(number),
    etag: etags[index] ?? '',
  }));
  const etag = await uploads.complete(upload, parts);
  respondXml(response, 'CompleteMultipartUploadResult', { Bucket: bucket.name, Key: key, ETag: `"${etag}"` });
}

async function abortMultipartUpload(request: S3Request, bucket: Bucket, uploads: MultipartUploads): Promise<void> {
  const { response, key, query } = request;
  request.demandAccess('AbortMultipartUpload', `${bucket.name}/${key}`);
  await uploads.abort(uploads.find(bucket, key, query.get('uploadId')));
  response.writeHead(204).end();
}

/** S3 reports a missing object only to callers who may list its key. It denies all others. */
function demandObject({ demandAccess, key }: S3Request, bucket: Bucket): StoredObject {
  demandAccess('GetObject', `${bucket.name}/${key}`);
  const object = bucket.get(key);
  if (object) return object;
  demandAccess('ListBucket', bucket.name, { 's3:prefix': [key] });
  throw new AwsError('NoSuchKey', 'The specified key does not exist.', 404);
}

/** Throws `AwsError` if the bytes differ from the announced or the signed ones. */
async function receiveFile(request: S3Request, bucket: Bucket): Promise<ObjectFile> {
  const { 'content-length': length, 'x-amz-checksum-crc32': crc32 } = request.http.headers;
  if (length === undefined) {
    throw new AwsError('MissingContentLength', 'You must provide the Content-Length HTTP header.', 411);
  }
  const file = await writeObjectFile(bucket.folder, request.http);
  try {
    checkContentHash(request, file.sha256.toString('hex'));
    if (crc32 !== undefined && crc32 !== crc32Header(file)) {
      throw new AwsError('BadDigest', 'The CRC32 you specified did not match the calculated checksum.');
    }
    return file;
  } catch (error) {
    await removeObjectFile(file.path);
    throw error;
  }
}

function checkContentHash({ contentHash }: S3Request, sha256: string): void {
  if (contentHash === undefined || contentHash === sha256) return;
  throw new AwsError('XAmzContentSHA256Mismatch', 'The body does not have the hash that was signed.');
}

/** The form of `x-amz-checksum-crc32`: base64 of the four bytes, the highest first. */
function crc32Header({ crc32 }: ObjectFile): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32);
  return bytes.toString('base64');
}

const storedHeaders = ['cache-control', 'content-disposition', 'content-encoding', 'content-type'];

/** The headers of an upload that GetObject returns. */
function headersToStore(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const stored = Object.entries(headers).filter(
    ([name]) => storedHeaders.includes(name) || name.startsWith('x-amz-meta-'),
  );
  return {
    'content-type': 'binary/octet-stream',
    ...Object.fromEntries(stored.map(([name, value]) => [name, String(value)])),
  };
}

/** The `response-…` parameters, which set headers of GetObject's response. */
function overrides(query: URLSearchParams): Record<string, string> {
  const names = storedHeaders.filter((name) => query.has(`response-${name}`));
  return Object.fromEntries(names.map((name) => [name, query.get(`response-${name}`) ?? '']));
}

function respondXml(response: S3Request['response'], root: string, content: XmlElements): void {
  const xml = Buffer.from(xmlDocument(root, content));
  response.writeHead(200, { 'content-type': 'application/xml', 'content-length': xml.length }).end(xml);
}
