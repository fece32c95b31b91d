import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { bundleOptions } from '../infra/build.ts';
import type { Build } from './build.ts';
import { readDefinitions } from './definitions.ts';
import type { Figure } from './report.ts';
import { median } from './statistics.ts';

const rounds = 15;
const shown = 3;

/** The least that a function which uses the table has to load. */
const bareClient = `
  import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
  import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
  export const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
`;

/** Importing each function's bundle, against a bare DynamoDB document client bundled in the same way. */
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
      // Next to each other, so that whatever else the machine does weighs on both.
      const bare = await importInFreshProcess(reference, environment);
      ratios.push((await importInFreshProcess(file, environment)) / bare);
      references.push(bare);
    }
  }
  const slowest = bundles
    .map(({ name, ratios }) => ({
      what: `Import of ${name}, against a bare document client`,
      value: median(ratios),
      unit: '×',
      budget: 1.25,
    }))
    .sort((a, b) => b.value - a.value)
    .slice(0, shown);
  return [...slowest, { what: 'Import of a bare document client', value: median(references), unit: 'ms' }];
}

/** Milliseconds for the import alone, without the start of Node. */
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
