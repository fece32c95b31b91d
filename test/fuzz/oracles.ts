import { gatewayResponses } from '#docs/write/gateway-responses.ts';
import type { WorldDescription } from '#local/world-description.ts';
import { schemaValidator } from '../../support/http/schema-validator.ts';
import { type OpenApi, type Operation, routeOf } from './document.ts';
import { smuggledHeader } from './hostile.ts';
import type { FuzzResponse } from './http.ts';
import type { FuzzRequest } from './requests.ts';

/** What the gateway responds itself, without `x-request-id`, because of the request. */
const gatewayMessages: ReadonlyMap<number, string> = new Map(
  gatewayResponses.filter(({ advice }) => advice === 'change').map(({ status, message }) => [status, message]),
);

/** Traces of code, of files and of AWS that no client may read. */
const internals = [
  /\bat [\w.<>]+ \(/,
  /\bnode:\w/,
  /\.(?:ts|mjs|tsx|js):\d+/,
  /\/(?:work|tmp|home|var|root|opt)\/\w+/,
  /\barn:aws/i,
  /dynamodb|amazonaws|sqs\.|ConditionalCheckFailed|ValidationException|ResourceNotFoundException/i,
  /\bTypeError\b|\bRangeError\b|\bSyntaxError\b|Cannot read propert/,
];

/** Operations that return what customers stored or what others sent, which may look like anything. */
const returnsContent = new Set(['getOpenapi', 'getMedia', 'getPreviewAsset', 'openPreview']);

/** Operations that show each user what is theirs, and so to anyone with a token. */
const showsOnesOwn = new Set(['listWorkspaces', 'listNumbers']);

/** Checks responses against the document and against what no response may do. */
export function createOracles(document: OpenApi, operations: readonly Operation[], world: WorldDescription) {
  const validate = schemaValidator(document);
  const { aws, tokens, app_secret, workspaces, numbers } = world;
  const secrets = [
    ...Object.values(tokens),
    app_secret,
    'local-upstream-access-token',
    aws.table_name,
    aws.bucket_name,
    aws.upstream_secret,
  ];

  /** Every fault of a response, as text; empty if there is none. */
  return function faultsOf(request: FuzzRequest, response: FuzzResponse): string[] {
    const operation = routeOf(operations, request.method, request.target.split('?')[0] ?? '');
    return [
      ...leaks(operation, response),
      ...smuggled(response),
      ...acceptedUrls(response),
      ...(isGatewayResponse(response) ? [] : [...described(operation, request, response), ...identified(response)]),
      ...(operation ? [...permitted(operation, request, response), ...lostHeaders(operation, response)] : []),
    ];
  };

  function described(operation: Operation | undefined, request: FuzzRequest, response: FuzzResponse): string[] {
    const { status, headers, text } = response;
    if (!operation) return [`${status} for a route that does not exist`];
    // Every operation declares it, and no input may cause it.
    if (status === 500) return [`${operation.id} fails with 500`];
    const declared = operation.responses.get(status);
    if (!declared) return [`${operation.id} does not declare ${status}`];
    if (declared.type === undefined) return text === '' ? [] : [`${status} has a body, though none is declared`];
    if (declared.type === '*/*') return [];
    const type = headers['content-type'];
    if (type !== declared.type) return [`content type ${type} in place of ${declared.type}`];
    return [
      ...schemaFaults(operation, response, declared.type),
      ...errorFaults(response, type),
      ...languageFaults(request, response),
    ];
  }

  function schemaFaults({ pointer }: Operation, { status, text }: FuzzResponse, type: string): string[] {
    const value = type === 'application/json' ? parse(text) : text;
    if (value === undefined) return ['the body is not JSON'];
    const fault = validate([...pointer, 'responses', String(status), 'content', type, 'schema'], value);
    return fault === undefined ? [] : [`the body does not fit the schema of ${status}: ${fault}`];
  }

  function leaks(operation: Operation | undefined, { text, headers }: FuzzResponse): string[] {
    const { location = '', ...others } = headers;
    // A signed URL names the bucket, like the one that a download redirects to.
    const shown = operation?.id === 'createMediaUpload' ? text.replace(/"url":"[^"]*"/, '') : text;
    const all = `${shown}\n${JSON.stringify(others)}`;
    const found = secrets.filter((secret) => all.includes(secret));
    const traces = operation && returnsContent.has(operation.id) ? [] : internals.filter((trace) => trace.test(all));
    return [
      ...found.map((secret) => `leaks ${secret.slice(0, 12)}…`),
      ...traces.map((trace) => `leaks internals: ${trace.exec(all)?.[0]}`),
      ...(/evil\.example/.test(String(location)) ? ['redirects to a foreign host'] : []),
    ];
  }

  /** Requests without a token are rejected, and users reach only what is theirs. */
  function permitted(
    { id, secured, responses }: Operation,
    { principal, target }: FuzzRequest,
    { status }: FuzzResponse,
  ): string[] {
    if (!secured || status >= 400) return [];
    if (showsOnesOwn.has(id)) return principal in tokens ? [] : [`${id} is ${status} for ${principal}`];
    const ofFirst = [workspaces[0]?.id, ...numbers.map((number) => number.id)].some(
      (id) => id && target.toLowerCase().includes(id),
    );
    const isForOwners = responses.get(403)?.errorCodes?.includes('workspace_not_owner') ?? false;
    const mayPass = principal === 'owner' || (principal === 'member' && ofFirst && !isForOwners);
    return mayPass ? [] : [`${id} is ${status} for ${principal}`];
  }
}

function lostHeaders({ responses }: Operation, { status, headers }: FuzzResponse): string[] {
  const lost = responses.get(status)?.requiredHeaders?.filter((name) => headers[name] === undefined) ?? [];
  return lost.map((name) => `${status} lacks ${name}`);
}

function errorFaults({ status, text }: FuzzResponse, type: string | undefined): string[] {
  if (status < 400 || type !== 'application/json') return [];
  const names = Object.keys(Object(parse(text)))
    .sort()
    .join();
  return names === (status === 422 ? 'errors,message' : 'message') ? [] : [`an error with the members ${names}`];
}

function languageFaults({ headers: { 'accept-language': wanted } }: FuzzRequest, { headers }: FuzzResponse): string[] {
  const language = headers['content-language'];
  return wanted === undefined && language !== undefined && language !== 'en' ? [`is in ${language}`] : [];
}

function identified({ headers }: FuzzResponse): string[] {
  return /^[0-9a-f-]{36}$/.test(String(headers['x-request-id'])) ? [] : ['has no x-request-id'];
}

function smuggled({ headers }: FuzzResponse): string[] {
  const cookies = [headers['set-cookie'] ?? []].flat().filter((cookie) => cookie.startsWith('smuggled'));
  return headers[smuggledHeader] !== undefined || cookies.length > 0 ? ['has a header of the request'] : [];
}

/** URLs of customers as responses show them. */
const customerUrl = /"(?:webhook|secondary_webhook|calls_webhook|endpoint_url)":"((?:[^"\\]|\\.)*)"/g;

/** The targets and contents that no customer's URL may have; loopback is allowed in the local world. */
const forbidden = /\/\/(?:10\.|169\.254\.|0\/|\[fd|\[::ffff:(?!7f)|[^/?#]*@|[^/]*\.internal)|^(?!https?:)/;

function acceptedUrls({ status, text }: FuzzResponse): string[] {
  if (status >= 400) return [];
  const urls = [...text.matchAll(customerUrl)].map(([, url = '']) => url);
  return urls.filter((url) => forbidden.test(url)).map((url) => `has accepted the URL ${url.slice(0, 80)}`);
}

function isGatewayResponse({ status, text, headers }: FuzzResponse): boolean {
  const message = gatewayMessages.get(status);
  return (
    message !== undefined &&
    headers['x-request-id'] === undefined &&
    (text === '' || text === JSON.stringify({ message }))
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
