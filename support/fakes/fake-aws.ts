import type { IncomingMessage } from 'node:http';
import { testCredentials } from '../aws/aws-credentials.ts';
import { startHttpServer } from '../http/http-server.ts';

/** An error that a fake operation of AWS returns. */
export class FakeAwsError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message = code, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** Takes the parameters of a request, and returns what the response has or throws a {@link FakeAwsError}. */
export type FakeOperation = (input: Record<string, string>) => object;

/**
 * The operations by name, such as `cloudformation:DescribeStacks`, or `lambda:GET /2016-08-19/account-settings/` where
 * the path names the operation.
 */
export type FakeOperations = Record<string, FakeOperation>;

export interface FakeAws {
  /** Replaces what the operations return. Those that are not named stay. */
  set(operations: FakeOperations): void;
  /** The operations that were called, in order. */
  calls: string[];
  /** Leads programs to this server, with credentials and a region. */
  environment: Record<string, string>;
  close(): Promise<void>;
}

/**
 * A server that responds as AWS's services do, to real clients of the SDK: queries with XML, JSON, and paths. It verifies
 * no signature.
 */
export async function startFakeAws(initial: FakeOperations = {}): Promise<FakeAws> {
  let operations = initial;
  const calls: string[] = [];
  const server = await startHttpServer((request, response) => {
    const { name, input, isXml } = describe(request, server.requests.at(-1)?.body ?? '');
    calls.push(name);
    const send = (status: number, body: object, asXml: string) =>
      response
        .writeHead(status, {
          'content-type': isXml ? 'text/xml' : 'application/json',
          'x-amzn-requestid': 'REQUEST1',
        })
        .end(isXml ? asXml : JSON.stringify(body));
    try {
      const operation = operations[name];
      if (!operation) throw new FakeAwsError('UnknownOperationException', `The fake has no ${name}`);
      const output = operation(input);
      const action = name.split(':')[1];
      const asXml = name.startsWith('s3:')
        ? `<Result>${flatXml(output)}</Result>`
        : `<${action}Response><${action}Result>${xml(output)}</${action}Result></${action}Response>`;
      send(200, output, asXml);
    } catch (error) {
      if (!(error instanceof FakeAwsError)) throw error;
      const { code, message, status } = error;
      response.setHeader('x-amzn-errortype', code);
      const asXml = `<ErrorResponse><Error><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;
      send(status, { __type: code, message, Message: message }, asXml);
    }
  });
  return {
    set(changed) {
      operations = { ...operations, ...changed };
    },
    calls,
    environment: {
      AWS_ENDPOINT_URL: server.url,
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: testCredentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: testCredentials.secretAccessKey,
      AWS_MAX_ATTEMPTS: '1',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    },
    close: () => server.close(),
  };
}

function describe({ method, url = '/', headers }: IncomingMessage, body: string) {
  const service = /\/([a-z0-9]+)\/aws4_request/.exec(headers.authorization ?? '')?.[1] ?? 'unsigned';
  const target = headers['x-amz-target'];
  if (typeof target === 'string') {
    return { name: `${service}:${target.split('.').at(-1)}`, input: JSON.parse(body), isXml: false };
  }
  if (headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
    const input = Object.fromEntries(new URLSearchParams(body));
    return { name: `${service}:${input.Action}`, input, isXml: true };
  }
  const { pathname: path, searchParams } = new URL(url, 'http://aws');
  const pathname = path.replace(/(.)\/$/, '$1');
  return { name: `${service}:${method} ${pathname}`, input: Object.fromEntries(searchParams), isXml: service === 's3' };
}

function xml(value: unknown): string {
  if (Array.isArray(value)) return value.map((member) => `<member>${xml(member)}</member>`).join('');
  if (typeof value !== 'object' || value === null)
    return String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return Object.entries(value)
    .map(([name, member]) => `<${name}>${xml(member)}</${name}>`)
    .join('');
}

/** S3 repeats the element of a list. */
function flatXml(value: object): string {
  return Object.entries(value)
    .flatMap(([name, member]) => [member].flat().map((each) => xml({ [name]: each })))
    .join('');
}
