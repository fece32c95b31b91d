import type { Operation, Parameter } from './document.ts';
import { hostileTexts, hostileUrls } from './hostile.ts';
import type { Random } from './random.ts';
import type { Kind, Sources } from './sources.ts';

/** The path and the query of a request. */
export function makeTarget(random: Random, operation: Operation, kind: Kind, sources: Sources): string {
  const path = makePath(random, operation, kind, sources);
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && (parameter.required || random.chance(0.5)))
    .flatMap((parameter) => makeQuery(random, parameter, kind, sources));
  if (kind !== 'valid' && random.chance(0.2)) query.push(`${rawText(random)}=${rawText(random)}`);
  return query.length > 0 ? `${path}?${query.join('&')}` : path;
}

function makePath(random: Random, { path, parameters }: Operation, kind: Kind, { pool, makeValue }: Sources): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (kind !== 'valid' && random.chance(0.12)) return rawText(random);
    const foreign = kind !== 'valid' && random.chance(0.1) ? pool.learned(random.pick(idNames)) : [];
    const schema = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.schema ?? {};
    return encode(foreign.length > 0 ? random.pick(foreign) : makeValue(random, schema, name));
  });
}

/** Ids of one kind are sent in place of those of another. */
const idNames = ['workspace', 'flow', 'number', 'preview', 'delivery'];

function makeQuery(random: Random, { name, schema }: Parameter, kind: Kind, { makeValue }: Sources): string[] {
  const valid = `${name}=${encode(makeValue(random, schema, name))}`;
  if (kind === 'valid' || random.chance(0.5)) return [valid];
  return random.pick([[`${name}=${rawText(random)}`], [valid, valid], [name], [`${name}[]=1`], [`${name}=`], []]);
}

const brokenEncodings = [
  '%',
  '%zz',
  '%c0%ae',
  '%ff',
  '%00',
  '%0d%0aX-Smuggled:%201',
  '%2F',
  '%2e%2e',
  '..',
  ';x',
  '+',
  '%E2%82',
  '%u0041',
];

/** Longer texts do not fit into a request line. */
const shortTexts = [...hostileTexts, ...hostileUrls].filter(({ length }) => length < 2_500);

/** Text for a path or a query: hostile, or not even percent-encoded properly. */
export function rawText(random: Random): string {
  return random.chance(0.3) ? random.pick(brokenEncodings) : encode(random.pick(shortTexts)) || '%20';
}

/** Lone surrogates have no percent-encoding. */
const encode = (value: unknown) => encodeURIComponent(String(value).toWellFormed());
