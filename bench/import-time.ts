import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { functions } from '../functions/operations.ts';
import { bundleOptions } from '../infra/build.ts';
import type { Build } from './build.ts';
import { environment } from './environment.ts';
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
export async function measureImportTimes({ functionsDirectory }: Build): Promise<Figure[]> {
  const reference = join(functionsDirectory, 'bare-client.mjs');
  await build({
    ...bundleOptions,
    stdin: { contents: bareClient, resolveDir: import.meta.dirname },
    outfile: reference,
  });

  const bundles = functions.map(({ name }) => ({
    name,
    file: join(functionsDirectory, name, 'index.mjs'),
    ratios: [] as number[],
  }));
  const references: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const { file, ratios } of bundles) {
      // Next to each other, so that whatever else the machine does weighs on both.
      const bare = await importInFreshProcess(reference);
      ratios.push((await importInFreshProcess(file)) / bare);
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
async function importInFreshProcess(file: string): Promise<number> {
  const script = `
    const start = performance.now();
    await import(${JSON.stringify(pathToFileURL(file).href)});
    console.log(performance.now() - start);
    process.exit();
  `;
  const args = ['--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: environment });
  return Number(stdout);
}
