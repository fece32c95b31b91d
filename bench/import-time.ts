import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type BuildOptions, build } from 'esbuild';
import { bundleOptions } from '#infra/build.ts';
import type { Build } from './build.ts';
import { readDefinitions } from './definitions.ts';
import type { Figure } from './report.ts';
import { median } from './statistics.ts';

const rounds = 15;
const shown = 3;

/** The least code that a function with access to the table has to load. */
const bareClient = `
  import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
  import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
  export const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
`;

/** The usual options for bundling the SDK for Lambda; ours leave out more (see `infra/build.ts`). */
const plainOptions: BuildOptions = {
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  logLevel: 'silent',
};

/**
 * Compares the import of each function's bundle with that of a bare DynamoDB document client, which is bundled in two
 * ways: plainly, the reference of the budget, and with our own options, which shows what our code adds.
 */
export async function measureImportTimes(functions: Build): Promise<Figure[]> {
  const plain = join(functions.functionsDirectory, 'bare-client-plain.mjs');
  const same = join(functions.functionsDirectory, 'bare-client-same.mjs');
  const stdin = { contents: bareClient, resolveDir: import.meta.dirname };
  await build({ ...plainOptions, stdin, outfile: plain });
  await build({ ...bundleOptions, stdin, outfile: same });

  const bundles = readDefinitions(functions).map(({ name, assetFolder, environment }) => ({
    name,
    file: join(assetFolder, 'index.mjs'),
    environment,
    againstPlain: [] as number[],
    againstSame: [] as number[],
  }));
  const references = { plain: [] as number[], same: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    for (const { file, environment, againstPlain, againstSame } of bundles) {
      // These imports follow each other directly, so that other load on the machine affects all of them equally.
      const plainMs = await importInFreshProcess(plain, environment);
      const ms = await importInFreshProcess(file, environment);
      const sameMs = await importInFreshProcess(same, environment);
      againstPlain.push(ms / plainMs);
      againstSame.push(ms / sameMs);
      references.plain.push(plainMs);
      references.same.push(sameMs);
    }
  }
  const slowest = bundles
    .map(({ name, againstPlain, againstSame }) => ({ name, plain: median(againstPlain), same: median(againstSame) }))
    .sort((a, b) => b.plain - a.plain)
    .slice(0, shown);
  return [
    ...slowest.map(({ name, plain }) => ({
      what: `Import of ${name}, against a bare document client`,
      value: plain,
      unit: '×',
      budget: 1.25,
    })),
    ...slowest.map(({ name, same }) => ({
      what: `…of ${name}, against one that is bundled as ours are`,
      value: same,
      unit: '×',
    })),
    { what: 'Import of a bare document client', value: median(references.plain), unit: 'ms' },
    { what: 'Import of one that is bundled as ours are', value: median(references.same), unit: 'ms' },
  ];
}

/** Measures the milliseconds of the import alone, without Node's start. */
async function importInFreshProcess(file: string, environment: Readonly<Record<string, string>>): Promise<number> {
  const script = `
    const start = performance.now();
    await import(${JSON.stringify(pathToFileURL(file).href)});
    console.log(performance.now() - start);
    process.exit();
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...environment, AWS_REGION: 'us-east-1' },
  });
  return Number(stdout);
}
