import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
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

/** Compares the import of each function's bundle with that of a bare DynamoDB document client, bundled the same way. */
export async function measureImportTimes(functions: Build): Promise<Figure[]> {
  const reference = join(functions.functionsDirectory, 'bare-client.mjs');
  const stdin = { contents: bareClient, resolveDir: import.meta.dirname };
  await build({ ...bundleOptions, stdin, outfile: reference });

  const bundles = readDefinitions(functions).map(({ name, assetFolder, environment }) => ({
    name,
    file: join(assetFolder, 'index.mjs'),
    environment,
    ratios: [] as number[],
  }));
  const references: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const { file, environment, ratios } of bundles) {
      // These imports follow each other directly, so that other load on the machine affects both equally.
      const referenceMs = await importInFreshProcess(reference, environment);
      ratios.push((await importInFreshProcess(file, environment)) / referenceMs);
      references.push(referenceMs);
    }
  }
  const slowest = bundles
    .map(({ name, ratios }) => ({ name, ratio: median(ratios) }))
    .sort((a, b) => b.ratio - a.ratio)
    .slice(0, shown);
  return [
    ...slowest.map(({ name, ratio }) => ({
      what: `Import of ${name}, against a bare document client`,
      value: ratio,
      unit: '×',
      budget: 1.25,
    })),
    { what: 'Import of a bare document client', value: median(references), unit: 'ms' },
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
