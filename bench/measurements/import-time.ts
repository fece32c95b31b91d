import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { bundleOptions } from '#infra/build.ts';
import { type Build, readDefinitions } from '../build.ts';
import { type Figure, median } from '../report.ts';

const rounds = 15;
const shown = 3;

/** The least code that loads a client, by the variable of the functions that use it. */
const bareClients: Readonly<Record<string, string>> = {
  TABLE_NAME: `
    import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
    import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
    export const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));`,
  QUEUE_URL: `
    import { SQSClient } from '@aws-sdk/client-sqs';
    export const queue = new SQSClient({});`,
  UPSTREAM_SECRET_ID: `
    import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
    export const secrets = new SecretsManagerClient({});`,
};

/** Compares the import of each function's bundle with that of the SDK clients that it uses, bundled the same way. */
export async function measureImportTimes(functions: Build): Promise<Figure[]> {
  const built = new Map<string, Promise<string>>();
  async function buildReference(contents: string): Promise<string> {
    const outfile = join(functions.functionsDirectory, `bare-clients-${built.size}.mjs`);
    await build({ ...bundleOptions, stdin: { contents, resolveDir: import.meta.dirname }, outfile });
    return outfile;
  }
  function referenceOf(environment: Readonly<Record<string, string>>): Promise<string> {
    const used = Object.keys(bareClients).filter((variable) => variable in environment);
    const contents = used.map((variable) => bareClients[variable]).join('');
    const reference = built.get(contents) ?? buildReference(contents);
    built.set(contents, reference);
    return reference;
  }

  const bundles = await Promise.all(
    readDefinitions(functions)
      .filter(({ environment }) => Object.keys(bareClients).some((variable) => variable in environment))
      .map(async ({ name, assetFolder, environment }) => ({
        name,
        file: join(assetFolder, 'index.mjs'),
        reference: await referenceOf(environment),
        environment,
        ratios: [] as number[],
      })),
  );
  for (let round = 0; round < rounds; round++) {
    for (const { file, reference, environment, ratios } of bundles) {
      // These imports follow each other directly, so that other load on the machine affects both equally.
      const referenceMs = await importInFreshProcess(reference, environment);
      ratios.push((await importInFreshProcess(file, environment)) / referenceMs);
    }
  }
  const slowest = bundles
    .map(({ name, ratios }) => ({ name, ratio: median(ratios) }))
    .sort((a, b) => b.ratio - a.ratio)
    .slice(0, shown);
  return slowest.map(({ name, ratio }) => ({
    what: `Import of ${name}, against the SDK clients that it uses`,
    value: ratio,
    unit: '×',
    budget: 1.6,
  }));
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
