import { Agent, request as httpRequest } from 'node:http';
import { urlToHttpOptions } from 'node:url';
import { AwsError } from '../base/aws-error.ts';
import { type JsonResponse, maxBodyBytes, serveSignedJson } from '../base/aws-json.ts';
import type { LoopbackServer } from '../base/http/loopback.ts';
import { readBody } from '../base/http/read-body.ts';
import { parseJson } from '../base/json.ts';
import type { Access, Authorize } from '../base/signatures/aws-access.ts';
import type { Signers } from '../base/signatures/signature-v4.ts';
import { type Call, callAccesses, type PartitionKeys, UnknownTableError } from './call-accesses.ts';
import type { Engine } from './engine.ts';

export interface FrontOptions {
  engine: Pick<Engine, 'url' | 'accessKeyId'>;
  port?: number;
  region: string;
  accountId: string;
  partitionKeys: PartitionKeys;
  signers: Signers;
  authorize: Authorize;
}

const protocol = {
  version: '1.0',
  namespace: 'com.amazonaws.dynamodb.v20120810',
  iamPrefix: 'dynamodb',
  signatureWindowMinutes: 5,
  signatureStatus: 400,
} as const;

/**
 * DynamoDB as the functions see it: the engine behind the roles. Every call's signature is verified. It is checked
 * against its caller's role, item by item if it touches several, and then forwarded under the engine's own access key
 * id, which no client knows.
 */
export async function startDynamoDbFront(options: FrontOptions): Promise<LoopbackServer> {
  const agent = new Agent({ keepAlive: true });
  const { url, close } = await serveSignedJson(protocol, options, async ({ target, body, accessKeyId }) => {
    const operation = target.slice(target.indexOf('.') + 1);
    const call: Call = parseJson(body.toString()) ?? {};
    checkRole(accessKeyId, operation, call, options);
    return forward(operation, body, options, agent);
  });
  return {
    url,
    async close() {
      await close();
      agent.destroy();
    },
  };
}

/** Throws `AwsError` unless the caller's role allows all that the call does. */
function checkRole(accessKeyId: string, operation: string, call: Call, options: FrontOptions): void {
  try {
    for (const access of accesses(accessKeyId, operation, call, options)) options.authorize(access);
  } catch (error) {
    const code = error instanceof UnknownTableError ? 'ResourceNotFoundException' : 'AccessDeniedException';
    throw new AwsError(code, error instanceof Error ? error.message : String(error));
  }
}

/** Sends the call to the engine, which reads the signature's form only, and the access key id from it. */
async function forward(
  operation: string,
  body: Buffer,
  { engine: { url, accessKeyId }, region }: FrontOptions,
  agent: Agent,
): Promise<JsonResponse> {
  const credential = `${accessKeyId}/20260101/${region}/dynamodb/aws4_request`;
  const headers = {
    host: 'dynamodb',
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': `DynamoDB_20120810.${operation}`,
    'x-amz-date': '20260101T000000Z',
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=0`,
    'content-length': body.length,
  };
  return new Promise<JsonResponse>((resolve, reject) => {
    const fail = (error: Error) => reject(new AwsError('InternalServerError', error.message, 500));
    httpRequest({ ...urlToHttpOptions(new URL(url)), method: 'POST', headers, agent }, (response) => {
      const { statusCode: status = 500 } = response;
      readBody(response, 2 * maxBodyBytes).then((read = Buffer.alloc(0)) => resolve({ status, body: read }), fail);
    })
      .on('error', fail)
      .end(body);
  });
}

/** What a call does, in IAM's terms. */
function accesses(
  accessKeyId: string,
  operation: string,
  call: Call,
  { region, accountId, partitionKeys }: FrontOptions,
): Access[] {
  const accesses = callAccesses(operation, call, partitionKeys);
  // An empty transaction or batch touches nothing. The engine says what is wrong with it.
  if (accesses.length === 0 && !(call.TransactItems || call.RequestItems)) {
    throw new Error(`The local DynamoDB does not serve ${operation}: it names no table`);
  }
  return accesses.map(({ action, table, index, leadingKeys }) => ({
    accessKeyId,
    action: `dynamodb:${action}`,
    resource: `arn:aws:dynamodb:${region}:${accountId}:table/${table}${index === undefined ? '' : `/index/${index}`}`,
    context: { 'dynamodb:LeadingKeys': leadingKeys },
  }));
}
