import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { AwsError } from '../base/aws-error.ts';
import { parseRange } from '../base/http/byte-range.ts';
import { sha256Hex } from '../base/signatures/signature-v4.ts';
import type { Bucket, StoredObject } from './bucket.ts';
import type { MultipartUploads } from './multipart-uploads.ts';
import { type ObjectFile, removeObjectFile, writeObjectFile } from './object-file.ts';
import { headersToStore, matches, overrides, readCondition } from './object-headers.ts';
import { checkContentHash, crc32Header, openRequestBody } from './request-body.ts';
import { type S3Request, splitPath } from './s3-request.ts';
import { demandUnderstood } from './understood.ts';
import { type XmlElements, xmlDocument, xmlTexts } from './xml.ts';

export interface S3Context {
  buckets: Map<string, Bucket>;
  uploads: MultipartUploads;
}

type Operation = (request: S3Request, bucket: Bucket, context: S3Context) => Promise<void> | void;

const pageKeys = 1000;
const maxCompleteBytes = 1024 * 1024;

/** Responds to an S3 request, or throws `AwsError`. */
export async function respondToS3(request: S3Request, context: S3Context): Promise<void> {
  const bucket = context.buckets.get(request.bucket);
  if (bucket === undefined) throw new AwsError('NoSuchBucket', 'The specified bucket does not exist', 404);
  await findOperation(request)(request, bucket, context);
}

function findOperation(request: S3Request): Operation {
  const { method, key, query, http } = request;
  const target = key === '' ? 'bucket' : query.has('uploadId') ? 'upload' : query.has('uploads') ? 'uploads' : 'object';
  const isCopy = http.headers['x-amz-copy-source'] !== undefined;
  const name = `${method} ${target}${isCopy ? ' copy' : ''}`;
  const operation = operations[name];
  if (operation === undefined || (operation === listObjects && query.get('list-type') !== '2')) {
    throw new AwsError('NotImplemented', `The local S3 does not know ${method} ${http.url}`, 501);
  }
  demandUnderstood(name, request);
  return operation;
}

const operations: Record<string, Operation> = {
  'HEAD bucket': headBucket,
  'GET bucket': listObjects,
  'GET object': getObject,
  'HEAD object': getObject,
  'PUT object': putObject,
  'PUT object copy': copyObject,
  'DELETE object': deleteObject,
  'POST uploads': createMultipartUpload,
  'PUT upload': uploadPart,
  'POST upload': completeMultipartUpload,
  'DELETE upload': abortMultipartUpload,
};

function headBucket({ response, demandAccess }: S3Request, bucket: Bucket): void {
  demandAccess('ListBucket', bucket.name);
  response.writeHead(200).end();
}

function listObjects({ response, query, demandAccess }: S3Request, bucket: Bucket): void {
  const prefix = query.get('prefix') ?? '';
  demandAccess('ListBucket', bucket.name, { 's3:prefix': [prefix] });
  const startAfter = query.get('start-after');
  const token = query.get('continuation-token');
  const maxKeys = Math.min(Number(query.get('max-keys') ?? pageKeys), pageKeys);
  if (!Number.isInteger(maxKeys) || maxKeys < 0) {
    throw new AwsError('InvalidArgument', 'Argument maxKeys must be an integer between 0 and 2147483647');
  }
  const after = token === null ? (startAfter ?? '') : readToken(token);
  const rest = bucket.list(prefix, after);
  const shown = rest.slice(0, maxKeys);
  const last = shown.at(-1);
  const isTruncated = last !== undefined && shown.length < rest.length;
  respondXml(response, 'ListBucketResult', {
    Name: bucket.name,
    Prefix: prefix,
    KeyCount: shown.length,
    MaxKeys: maxKeys,
    IsTruncated: isTruncated,
    StartAfter: startAfter ?? undefined,
    ContinuationToken: token ?? undefined,
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

function readToken(token: string): string {
  const key = Buffer.from(token, 'base64url');
  if (key.length > 0 && key.toString('base64url') === token) return key.toString();
  throw new AwsError('InvalidArgument', 'The continuation token provided is incorrect');
}

async function getObject(request: S3Request, bucket: Bucket): Promise<void> {
  const { http, response, method, query } = request;
  const object = demandObject(request, bucket, request.key);
  const etag = `"${object.etag}"`;
  response.setHeader('etag', etag);
  response.setHeader('last-modified', new Date(object.lastModified).toUTCString());
  const condition = readCondition(http.headers, etag, object.lastModified);
  if (condition === 'failed') throw preconditionFailed();
  if (condition === 'unchanged') {
    response.writeHead(304).end();
    return;
  }

  const ifRange = http.headers['if-range'];
  const isForThis = ifRange === undefined || ifRange === etag;
  const range = isForThis ? parseRange(http.headers.range, object.size) : undefined;
  if (range === 'unsatisfiable') {
    response.setHeader('content-range', `bytes */${object.size}`);
    throw new AwsError('InvalidRange', 'The requested range is not satisfiable', 416);
  }
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
  checkCondition(request, bucket);
  const headers = headersToStore(http.headers);
  const file = await receiveFile(request, bucket);
  const { etag, crc32 } = await store(request, bucket, file, headers);
  response.writeHead(200, { etag: `"${etag}"`, 'x-amz-checksum-crc32': crc32 }).end();
}

async function copyObject(request: S3Request, bucket: Bucket, { buckets }: S3Context): Promise<void> {
  const { http, response, key } = request;
  const source = splitPath(String(http.headers['x-amz-copy-source']));
  const sourceBucket = buckets.get(source.bucket);
  if (sourceBucket === undefined) throw new AwsError('NoSuchBucket', 'The specified bucket does not exist', 404);
  const original = demandObject(request, sourceBucket, source.key);
  request.demandAccess('PutObject', `${bucket.name}/${key}`);
  const { 'x-amz-metadata-directive': directive = 'COPY' } = http.headers;
  if (directive !== 'COPY' && directive !== 'REPLACE')
    throw new AwsError('InvalidArgument', 'Unknown metadata directive.');
  const isReplacing = directive === 'REPLACE';
  if (!isReplacing && sourceBucket === bucket && source.key === key) {
    throw new AwsError(
      'InvalidRequest',
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata.",
    );
  }
  const headers = isReplacing ? headersToStore(http.headers) : original.headers;
  const file = await writeObjectFile(bucket.folder, sourceBucket.read(original));
  const copy = await store(request, bucket, file, headers);
  const lastModified = new Date(copy.lastModified).toISOString();
  respondXml(response, 'CopyObjectResult', { ETag: `"${copy.etag}"`, LastModified: lastModified });
}

async function deleteObject({ response, key, demandAccess }: S3Request, bucket: Bucket): Promise<void> {
  demandAccess('DeleteObject', `${bucket.name}/${key}`);
  await bucket.delete(key);
  response.writeHead(204).end();
}

function createMultipartUpload(request: S3Request, bucket: Bucket, { uploads }: S3Context): void {
  const { http, response, key } = request;
  request.demandAccess('PutObject', `${bucket.name}/${key}`);
  const uploadId = uploads.create(bucket, key, headersToStore(http.headers));
  respondXml(response, 'InitiateMultipartUploadResult', { Bucket: bucket.name, Key: key, UploadId: uploadId });
}

async function uploadPart(request: S3Request, bucket: Bucket, { uploads }: S3Context): Promise<void> {
  const { response, key, query } = request;
  request.demandAccess('PutObject', `${bucket.name}/${key}`);
  const uploadId = query.get('uploadId') ?? '';
  const partNumber = Number(query.get('partNumber'));
  uploads.check(bucket, key, uploadId, partNumber);
  const file = await receiveFile(request, bucket);
  await uploads.addPart(bucket, key, uploadId, partNumber, file);
  response.writeHead(200, { etag: `"${file.md5.toString('hex')}"` }).end();
}

async function completeMultipartUpload(request: S3Request, bucket: Bucket, { uploads }: S3Context): Promise<void> {
  const { http, response, key, query } = request;
  request.demandAccess('PutObject', `${bucket.name}/${key}`);
  if (!(Number(http.headers['content-length']) <= maxCompleteBytes)) {
    throw new AwsError('MalformedXML', 'The XML you provided is missing or too long.');
  }
  const body = await buffer(http);
  checkContentHash(http, sha256Hex(body));
  const xml = body.toString();
  const etags = xmlTexts(xml, 'ETag').map((etag) => etag.replaceAll('"', ''));
  const parts = xmlTexts(xml, 'PartNumber').map((number, index) => ({
    partNumber: Number(number),
    etag: etags[index] ?? '',
  }));
  const { etag } = await uploads.complete(bucket, key, query.get('uploadId') ?? '', parts);
  const location = `http://${http.headers.host}/${bucket.name}/${encodeURIComponent(key)}`;
  respondXml(response, 'CompleteMultipartUploadResult', {
    Location: location,
    Bucket: bucket.name,
    Key: key,
    ETag: `"${etag}"`,
  });
}

async function abortMultipartUpload(request: S3Request, bucket: Bucket, { uploads }: S3Context): Promise<void> {
  const { response, key, query } = request;
  request.demandAccess('AbortMultipartUpload', `${bucket.name}/${key}`);
  await uploads.abort(bucket, key, query.get('uploadId') ?? '');
  response.writeHead(204).end();
}

/** S3 reports a missing object only to callers who may list its key. It denies all others. */
function demandObject({ demandAccess }: S3Request, bucket: Bucket, key: string): StoredObject {
  demandAccess('GetObject', `${bucket.name}/${key}`);
  const object = bucket.get(key);
  if (object) return object;
  demandAccess('ListBucket', bucket.name, { 's3:prefix': [key] });
  throw noSuchKey();
}

async function receiveFile({ http }: S3Request, bucket: Bucket): Promise<ObjectFile> {
  const body = openRequestBody(http);
  const file = await writeObjectFile(bucket.folder, body.bytes);
  try {
    body.verify(file);
  } catch (error) {
    await removeObjectFile(file.path);
    throw error;
  }
  return file;
}

/** Checks the precondition again: another writer may have been faster while the body arrived. */
async function store(
  request: S3Request,
  bucket: Bucket,
  file: ObjectFile,
  headers: Record<string, string>,
): Promise<StoredObject & { crc32: string }> {
  try {
    checkCondition(request, bucket);
  } catch (error) {
    await removeObjectFile(file.path);
    throw error;
  }
  const details = { headers, etag: file.md5.toString('hex'), crc32: crc32Header(file.crc32) };
  return { ...(await bucket.put(request.key, file, details)), crc32: details.crc32 };
}

function checkCondition({ http, key }: S3Request, bucket: Bucket): void {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = http.headers;
  const object = bucket.get(key);
  if (ifNoneMatch !== undefined && ifNoneMatch !== '*') {
    throw new AwsError('NotImplemented', 'A header you provided implies functionality that is not implemented', 501);
  }
  if (ifNoneMatch === '*' && object) throw preconditionFailed();
  if (ifMatch === undefined) return;
  if (!object) throw noSuchKey();
  if (!matches(ifMatch, `"${object.etag}"`)) throw preconditionFailed();
}

const noSuchKey = () => new AwsError('NoSuchKey', 'The specified key does not exist.', 404);

function preconditionFailed(): AwsError {
  return new AwsError('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', 412);
}

function respondXml(response: S3Request['response'], root: string, content: XmlElements): void {
  const xml = Buffer.from(xmlDocument(root, content));
  response.writeHead(200, { 'content-type': 'application/xml', 'content-length': xml.length }).end(xml);
}
