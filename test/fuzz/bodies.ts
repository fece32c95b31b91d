import { gzipSync } from 'node:zlib';
import type { Operation } from './document.ts';
import { upstreamEvent } from './events.ts';
import { flowJsons, hostileTexts, hostileUrls, sdps } from './hostile.ts';
import { mutatedJson } from './json.ts';
import type { Random } from './random.ts';
import type { Kind, Sources } from './sources.ts';
import { rawText } from './targets.ts';

/** The body of a request; undefined without one. */
export function makeBody(random: Random, operation: Operation, kind: Kind, sources: Sources): Buffer | undefined {
  const { request } = operation;
  if (!request?.schema) return kind !== 'valid' && random.chance(0.2) ? random.pick(strayBodies) : undefined;
  const value = validBody(random, operation, sources);
  if (request.type === 'multipart/form-data') return makeUpload(random, kind);
  if (request.type !== 'application/json') return makeForm(random, value, kind);
  return kind === 'valid' ? Buffer.from(JSON.stringify(value)) : faultyBody(random, value, kind);
}

function validBody(random: Random, { id, request }: Operation, { world, pool, makeValue }: Sources): unknown {
  if (id === 'receiveEvents' && random.chance(0.9)) return upstreamEvent(random, world, pool.learned('wa_id'));
  if (request?.example !== undefined && random.chance(0.1)) return request.example;
  return makeValue(random, request?.schema ?? {});
}

function makeForm(random: Random, value: unknown, kind: Kind): Buffer {
  if (kind !== 'valid') return Buffer.from(`secret=${rawText(random)}`);
  return Buffer.from(String(new URLSearchParams(value as Record<string, string>)));
}

/** The boundary of the forms, for their content type. */
export const boundary = 'fuzz';

/** A form with a file, or something close to one. */
function makeUpload(random: Random, kind: Kind): Buffer {
  const file = (name: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n`;
  const end = `\r\n--${boundary}--\r\n`;
  if (kind === 'valid') return Buffer.from(`${file('a.txt')}Hello${end}`);
  const text = random.pick(hostileTexts);
  return Buffer.from(
    random.pick([
      `${file(text)}${text}${end}`,
      `${file('a')}${text}\r\n${file('b')}${text}${end}`,
      `${file('a')}${text}`,
      `${text}\r\n${file('a')}${end}`,
      text,
      end,
    ]),
  );
}

function faultyBody(random: Random, value: unknown, kind: Kind): Buffer {
  if (random.chance(0.02)) return oversized(random, value);
  const text = kind === 'hostile' ? JSON.stringify(hostileMembers(random, value)) : mutatedJson(random, value);
  if (random.chance(0.05)) return Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xc0, 0x80])]);
  return Buffer.from(text, random.chance(0.03) ? 'utf16le' : 'utf8');
}

/** The value with some members replaced by the most hostile values for them. */
function hostileMembers(random: Random, value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => hostileMembers(random, item, name));
  if (typeof value === 'object' && value !== null && name !== 'json') {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, hostileMembers(random, member, key)]));
  }
  return random.chance(0.4) ? value : hostileMember(random, value, name);
}

function hostileMember(random: Random, value: unknown, name: string): unknown {
  if (name === 'json') return random.pick(flowJsons);
  if (name.includes('sdp')) return random.pick([...sdps, ...hostileTexts]);
  if (/url|webhook/.test(name)) return random.pick([...hostileUrls, ...hostileTexts]);
  return typeof value === 'string' ? random.pick(hostileTexts) : value;
}

/** For operations that take no body. */
const strayBodies = [Buffer.from('{}'), Buffer.from('x'), gzipSync('{}'), Buffer.from([0xff, 0xfe])];

/** Around the limits of the functions and of the gateway. */
function oversized(random: Random, value: unknown): Buffer {
  const filler = 'x'.repeat(random.pick([300_000, 3_000_000, 6_300_000, 10_600_000]));
  return Buffer.from(JSON.stringify({ ...(value as object), name: filler, filler }));
}
