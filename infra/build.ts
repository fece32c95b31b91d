import { copyFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { functions } from '#functions/operations.ts';
import { buildPreview } from '#web/build-preview.ts';
import { nodeBuiltins } from './node-builtins.ts';
import { functionsDirectory, root } from './paths.ts';

/** Needed by calls with an event stream, of which we have none; but the S3 client imports it at its start. */
const eventStreams = '@smithy/core/event-streams';

/**
 * Parts of the SDK which it loads on demand and no function ever demands, so they stay out of the bundles: the ways to
 * credentials that it tries when the environment holds none (Lambda's always does) and what it uses in a browser.
 */
const neverLoaded = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/credential-provider-imds',
  'bowser',
];

/** What functions `import()` because they rarely need it: a bundle each, which lies beside every function that does. */
const loadedOnDemand = [
  '@aws-sdk/client-s3',
  '@aws-sdk/lib-storage',
  '@aws-sdk/s3-request-presigner',
  '#shared/http/errors/error-catalogue.ts',
];
const nameOf = (specifier: string) => basename(specifier, '.ts');
const fileOf = (specifier: string) => `${nameOf(specifier)}.mjs`;

/** How everything that is deployed is bundled. */
export const bundleOptions = {
  absWorkingDir: root,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  mainFields: ['module', 'main'],
  external: [...neverLoaded, eventStreams],
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [nodeBuiltins],
} satisfies BuildOptions;

/**
 * Bundles every function to `<directory>/<name>/index.mjs`, a folder for each with all that it deploys, and says in
 * `<directory>/metafile.json` what is in them (esbuild's metafile).
 */
export async function buildFunctions(directory: string = functionsDirectory): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  const [metafile] = await Promise.all([
    bundleFunctions(directory),
    bundleOnDemand(directory),
    ...functions
      .filter(({ uses }) => uses.previewAssets)
      .map(({ name }) => buildPreview(join(directory, name, 'assets'))),
  ]);
  await Promise.all([
    writeFile(join(directory, 'metafile.json'), JSON.stringify(metafile)),
    ...filesToCopy(metafile).map(({ folder, file }) => copyFile(join(directory, file), join(directory, folder, file))),
  ]);
}

/** In one call, as esbuild then reads what they share only once. */
async function bundleFunctions(directory: string): Promise<Metafile> {
  const { metafile } = await build({
    ...bundleOptions,
    entryPoints: Object.fromEntries(functions.map(({ name }) => [`${name}/index`, `function:${name}`])),
    outdir: directory,
    plugins: [...bundleOptions.plugins, functionEntries, onDemandApart],
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
  });
  return metafile;
}

async function bundleOnDemand(directory: string): Promise<void> {
  await build({
    ...bundleOptions,
    external: neverLoaded,
    entryPoints: Object.fromEntries(loadedOnDemand.map((specifier) => [nameOf(specifier), specifier])),
    outdir: directory,
    plugins: [...bundleOptions.plugins, onDemandApart],
  });
}

/** A function reads its environment and makes its clients when it starts, not when the first request waits for it. */
const functionEntries: Plugin = {
  name: 'function-entries',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^function:/ }, ({ path }) => ({ path: path.replace('function:', ''), namespace: 'function' }));
    onLoad({ filter: /./, namespace: 'function' }, ({ path }) => ({
      contents: "import { handler } from './handler.ts';\nhandler.open();\nexport { handler };\n",
      resolveDir: join(root, 'functions', path),
    }));
  },
};

/**
 * Keeps it out of the functions' bundles, and its parts out of each other's. esbuild's own code splitting would too,
 * but have them load at start all that both sides may need, 15 % more.
 */
const onDemandApart: Plugin = {
  name: 'on-demand-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^(@aws-sdk|#shared)\// }, ({ path, kind }) =>
      kind !== 'entry-point' && loadedOnDemand.includes(path)
        ? { path: `./${fileOf(path)}`, external: true }
        : undefined,
    );
  },
};

/** Which of the bundles on demand go into which function's folder. */
function filesToCopy({ outputs }: Metafile): { folder: string; file: string }[] {
  const onDemand = loadedOnDemand.map(fileOf);
  return Object.entries(outputs).flatMap(([output, { imports }]) =>
    onDemand
      .filter((file) => imports.some(({ path }) => path === `./${file}`))
      .map((file) => ({ folder: basename(dirname(output)), file })),
  );
}

if (import.meta.main) await buildFunctions();
