import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Metafile } from 'esbuild';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { functions, operations } from '#functions/operations.ts';
import { textsKey } from '#shared/http/members.ts';
import type { Uses } from '#shared/operations/contract.ts';

const directory = inject('functionsDirectory');
const { outputs }: Metafile = JSON.parse(readFileSync(join(directory, 'metafile.json'), 'utf8'));

/** The sources of a function's bundle, from its source map. */
const sourcesOf = (name: string): string[] =>
  JSON.parse(readFileSync(join(directory, name, 'index.mjs.map'), 'utf8')).sources;

/** What a function may load at start, in bytes. */
const budget = 400 * 1024;

/** The type of each bundle's handler, or why the bundle does not load. One Node loads them all, in a moment. */
const loaded = new Map<string, string>();

beforeAll(async () => {
  const bundles = functions.map(({ name }) => [name, pathToFileURL(join(directory, name, 'index.mjs')).href]);
  const load = `
    const bundles = ${JSON.stringify(bundles)};
    const load = ([name, url]) => import(url).then((m) => [name, typeof m.handler], (error) => [name, String(error)]);
    Promise.all(bundles.map(load)).then((loaded) => console.log(JSON.stringify(loaded)));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', load], { env: environment });
  for (const [name, type] of JSON.parse(stdout)) loaded.set(name, type);
});

/** Who needs which client. That of S3 is beside the bundles, and those that only the commands for operators use are in none. */
const clientsOf: Record<string, (uses: Uses) => boolean> = {
  'client-dynamodb': ({ table, indexes }) => (table ?? indexes) !== undefined,
  'client-secrets-manager': ({ upstream, credentials, flowKeys }) =>
    (upstream ?? credentials ?? flowKeys) !== undefined,
  'client-sqs': ({ queue }) => queue === true,
};

describe.each(functions.map(({ name, uses }) => [name, uses] as const))('the bundle of %s', (name, uses) => {
  const folder = join(directory, name);
  const output = Object.entries(outputs).find(([file]) => file.endsWith(`/${name}/index.mjs`))?.[1];
  const files = readdirSync(folder);
  const modules = files.filter((file) => file.endsWith('.mjs'));
  const imported = output?.imports.map(({ path }) => path) ?? [];
  const onDemand = imported.filter((path) => path.startsWith('./')).map((path) => path.slice(2));

  it('loads no more at start than the budget allows', () => {
    expect(statSync(join(folder, 'index.mjs')).size).toBeLessThanOrEqual(budget);
  });

  it('has no static imports, and loads modules of Node without the overhead of an import', () => {
    expect(output?.imports.filter(({ kind }) => kind !== 'dynamic-import')).toEqual([]);
  });

  it('has the modules that it loads on demand beside it', () => {
    expect(modules).toEqual(expect.arrayContaining(onDemand));
  });

  it('contains only what is deployed', () => {
    const deployed = new Set(['index.mjs', 'index.mjs.map', 'assets', ...onDemand]);
    expect(files.filter((file) => !deployed.has(file))).toEqual([]);
  });

  it('requires no CommonJS module at run time', () => {
    for (const file of modules) expect(readFileSync(join(folder, file), 'utf8')).not.toContain('Dynamic require of');
  });

  it('contains no descriptions of members, which only the API description needs', () => {
    expect(readFileSync(join(folder, 'index.mjs'), 'utf8')).not.toContain(textsKey);
  });

  it('contains its own contracts, and none of another operation', () => {
    const bundle = readFileSync(join(folder, 'index.mjs'), 'utf8');
    const described = [...functions, ...operations.filter(({ servedBy }) => servedBy)];
    const contained = described.filter((contract) => bundle.includes(`name:${JSON.stringify(contract.name)}`));
    const own = [name, ...operations.filter(({ servedBy }) => servedBy === name).map((shared) => shared.name)];
    expect(contained.map((contract) => contract.name)).toEqual(own);
  });

  it('contains only the clients of AWS that its function uses', () => {
    const clients = new Set(sourcesOf(name).flatMap((file) => /@aws-sdk\/(client-[a-z-]+)\//.exec(file)?.[1] ?? []));
    expect([...clients].filter((client) => !clientsOf[client]?.(uses))).toEqual([]);
  });

  it('contains zod/mini, not classic zod with its methods and locales', () => {
    expect(sourcesOf(name).filter((file) => /zod\/v4\/(classic|locales)\//.test(file))).toEqual([]);
  });

  it('has a source map without the sources', () => {
    const map = JSON.parse(readFileSync(join(folder, 'index.mjs.map'), 'utf8'));
    expect(map.sources).toEqual(
      expect.arrayContaining([expect.stringMatching(new RegExp(`/functions/[\\w-]+/${name}.ts$`))]),
    );
    expect(map).not.toHaveProperty('sourcesContent');
  });

  it('loads in a bare Node with the environment of its function, and exports the handler', () => {
    expect(loaded.get(name)).toBe('function');
  });
});

describe('a module that is loaded on demand', () => {
  it('is in no bundle that is loaded at start', () => {
    const bundled = functions.flatMap(({ name }) => sourcesOf(name));
    expect(bundled).toEqual(expect.arrayContaining([expect.stringMatching(/@aws-sdk\/client-dynamodb\//)]));
    expect(bundled.filter((file) => /@aws-sdk\/(client-s3|lib-storage|s3-request-presigner)\//.test(file))).toEqual([]);
  });

  it.each<[string, (uses: Uses, name: string) => boolean]>([
    // Long texts of deliveries are read through a link.
    ['client-s3.mjs', ({ bucket }) => bucket !== undefined],
    ['lib-storage.mjs', ({ bucket }) => bucket?.AbortMultipartUpload !== undefined],
    [
      's3-request-presigner.mjs',
      ({ bucket }, name) =>
        bucket?.AbortMultipartUpload !== undefined || /^get-.*delivery$|^create-media-upload$/.test(name),
    ],
  ])('is beside exactly those functions that need it: %s', (file, needs) => {
    const having = functions.filter(({ name }) => readdirSync(join(directory, name)).includes(file));
    expect(having.map(({ name }) => name)).toEqual(
      functions.filter(({ uses, name }) => needs(uses, name)).map(({ name }) => name),
    );
  });

  it.each([
    ['client-s3.mjs', ['S3Client', 'NoSuchKey', 'GetObjectCommand']],
    ['lib-storage.mjs', ['Upload']],
    ['s3-request-presigner.mjs', ['getSignedUrl']],
  ])('can be loaded from there: %s', async (file, names) => {
    const url = JSON.stringify(pathToFileURL(join(directory, 'get-media', file)));
    // In a bare Node: the test runner would find what is missing among the project's own modules.
    const load = `import(${url}).then(m => console.log(...${JSON.stringify(names)}.map(name => typeof m[name])))`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--eval', load], { env: environment });
    expect(stdout.trim()).toBe(names.map(() => 'function').join(' '));
  });
});

const environment = {
  AWS_REGION: 'eu-west-1',
  TABLE_NAME: 'table',
  BUCKET_NAME: 'bucket',
  BASE_URL: 'https://api.example.com',
  PUBLIC_URL: 'https://api.example.com',
  UPSTREAM_BASE_URL: 'https://graph.example.com',
  UPSTREAM_GRAPH_VERSION: 'v25.0',
  UPSTREAM_MEDIA_HOSTS: 'fbsbx.com',
  UPSTREAM_TIMEOUT_MS: '8000',
  UPSTREAM_SECRET_ID: 'messaging/dev/upstream',
  QUEUE_URL: 'https://sqs.eu-west-1.amazonaws.com/123456789012/queue',
  EGRESS_ALLOWED_CIDRS: '',
  OWN_URLS: 'https://api.example.com',
  DEPLOYMENT_ID: '00000000-0000-4000-8000-00000000d0d0',
  DELIVERY_TIMEOUT_MS: '10000',
  DELIVERY_RETRY_SCHEDULE: '',
};
