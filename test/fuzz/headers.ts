import { boundary } from './bodies.ts';
import type { Operation } from './document.ts';
import { hubSignature } from './events.ts';
import type { Random } from './random.ts';
import type { Kind, Principal, Sources } from './sources.ts';

interface Sent {
  kind: Kind;
  principal: Principal;
  body: Buffer | undefined;
}

/** The headers of a request with this body. */
export function makeHeaders(
  random: Random,
  operation: Operation,
  sent: Sent,
  sources: Sources,
): Record<string, string> {
  return {
    ...authorization(random, sent.principal, sources),
    ...contentType(random, operation, sent),
    ...(random.chance(0.3) && { 'accept-language': random.pick(languages) }),
    ...cookie(random, operation, sources),
    ...declared(random, operation, sent, sources),
    ...(sent.kind !== 'valid' && random.chance(0.2) && random.pick(strangeHeaders)),
  };
}

function authorization(random: Random, principal: Principal, { world: { tokens } }: Sources): Record<string, string> {
  if (principal === 'none') return {};
  if (principal !== 'invalid') return { authorization: `Bearer ${tokens[principal]}` };
  const { owner } = tokens;
  const invalid = [
    `Bearer ${owner.slice(0, -1)}`,
    `Bearer ${owner}x`,
    `Bearer ${owner.toLowerCase()}`,
    `Bearer ${'x'.repeat(3_000)}`,
    `Basic ${btoa(`${owner}:`)}`,
    owner,
    'Bearer',
    'Bearer  ',
  ];
  return { authorization: random.pick(invalid) };
}

function contentType(random: Random, { request }: Operation, { kind, body }: Sent): Record<string, string> {
  if (!body) return {};
  const isWrong = kind === 'mutated' && random.chance(0.1);
  return { 'content-type': isWrong ? random.pick(contentTypes) : typeOf(request) };
}

function typeOf(request: Operation['request']): string {
  const { type = 'application/json' } = request ?? {};
  return type === 'multipart/form-data' ? `${type}; boundary=${boundary}` : type;
}

function cookie(random: Random, { path }: Operation, { pool }: Sources): Record<string, string> {
  const isOfPreview = path.includes('{preview}') && pool.cookies().length > 0 && random.chance(0.7);
  return isOfPreview ? { cookie: random.pick(pool.cookies()) } : {};
}

/** The header parameters of the document. */
function declared(random: Random, { parameters }: Operation, sent: Sent, sources: Sources): Record<string, string> {
  const chosen = parameters.filter(
    (parameter) => parameter.in === 'header' && (parameter.required || random.chance(0.3)),
  );
  return Object.fromEntries(chosen.map(({ name }) => [name, headerValue(random, name, sent, sources)]));
}

function headerValue(random: Random, name: string, { kind, body }: Sent, { world }: Sources): string {
  if (name === 'Idempotency-Key' && random.chance(0.7)) return `fuzz-${random.below(1e9)}`;
  const isSigned = name === 'X-Hub-Signature-256' && !(kind === 'mutated' && random.chance(0.2));
  return isSigned ? hubSignature(body ?? Buffer.alloc(0), world.app_secret) : random.pick(headerValues);
}

const headerValues = [
  'bytes=0-1',
  'bytes=5-',
  'bytes=-1',
  'bytes=9-1',
  'bytes=0-0,2-3',
  'bytes=99999999999999999999-',
  '"etag"',
  '*',
  'W/"x", "y"',
  'sha256=00',
  'x'.repeat(300),
];

const languages = ['en', 'pt-BR', 'es', 'fr;q=1,es;q=0.1', '*', 'x'.repeat(500), 'pt;q=NaN', ',,,;', 'en;q=-1'];

const contentTypes = [
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'application/json;;',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'APPLICATION/JSON',
  'application/json; charset="UTF-8"',
  'x',
];

const strangeHeaders: readonly Record<string, string>[] = [
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'br, x' },
  { cookie: '=; ;;; a=b=c; __Host-preview=\u00ff; $Version=1' },
  { cookie: 'x='.repeat(1_000) },
  { 'x-forwarded-for': '127.0.0.1, evil', 'x-forwarded-host': 'evil.example' },
  { 'x-http-method-override': 'DELETE' },
  { origin: 'https://evil.example', referer: 'https://evil.example/' },
  { accept: 'application/xml;q=1, */*;q=0' },
  { 'x-amzn-trace-id': 'Root=1-0-0' },
  { 'x-long': 'y'.repeat(8_000) },
  { 'x-latin': '\u00e9\u00ff' },
];
