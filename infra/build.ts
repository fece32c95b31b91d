import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { copyFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { functions } from '#functions/operations.ts';
import { nodeBuiltins, valuesAtBuild } from './build-plugins.ts';
import { functionsDirectory, root, sourceFile } from './paths.ts';

/** The S3 client imports this when it loads, but only calls with an event stream need it, and we make none. */
const eventStreams = '@smithy/core/event-streams';

/**
 * Parts of the SDK that it loads on demand but that no function ever needs, so the bundles leave them out: the
 * credential providers that it tries if the environment has no credentials (Lambda's always does) and browser code.
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

/**
 * Modules that functions rarely need, so they `import()` them. Each has a bundle, copied beside every function that
 * needs it.
 */
const loadedOnDemand = [
  '@aws-sdk/client-s3',
  '@aws-sdk/lib-storage',
  '@aws-sdk/s3-request-presigner',
  '#shared/calls/call-error-texts.ts',
  '#shared/calls/sdp-finding-texts.ts',
  '#shared/operations/error-catalogue.ts',
  '#shared/messages/message-error-texts.ts',
];
const nameOf = (specifier: string) => basename(specifier, '.ts');
const fileOf = (specifier: string) => `${nameOf(specifier)}.mjs`;

/** The options for every deployed bundle. */
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
  // The first step writes imports of chunks from which a function needs nothing; the second leaves them out.
  logOverride: { 'ignored-bare-import': 'silent' },
  plugins: [nodeBuiltins, valuesAtBuild],
} satisfies BuildOptions;

/**
 * Bundles every function to `<directory>/<name>/index.mjs`. Each folder contains all that its function deploys, and
 * exists when this returns its promise. `<directory>/metafile.json` (esbuild's metafile) lists the contents of the
 * bundles.
 */
export async function buildFunctions(directory: string = functionsDirectory): Promise<void> {
  rmSync(directory, { recursive: true, force: true });
  for (const { name } of functions) mkdirSync(join(directory, name), { recursive: true });
  const [metafile] = await Promise.all([
    bundleFunctions(directory),
    bundleOnDemand(directory),
    ...functions
      .filter(({ uses }) => uses.previewAssets)
      .map(({ name }) => buildPage('preview', join(directory, name, 'assets'))),
  ]);
  await Promise.all([
    writeFile(join(directory, 'metafile.json'), JSON.stringify(metafile)),
    ...filesToCopy(metafile).map(({ folder, file }) => copyFile(join(directory, file), join(directory, folder, file))),
  ]);
}

/**
 * Bundles all functions in two steps. The first puts what the same functions share into one file, a chunk; the second
 * puts each function's chunks together. In a single step, esbuild would go through hundreds of files for each function,
 * which takes four times as long.
 */
async function bundleFunctions(directory: string): Promise<Metafile> {
  const chunks = join(directory, '.chunks');
  await build({
    ...bundleOptions,
    minify: false,
    // Takes the pure calls out of functions, so that the second step does not keep what only they need.
    minifySyntax: true,
    external: [...bundleOptions.external, ...loadedOnDemand],
    entryPoints: Object.fromEntries([
      ...functions.map(({ name }) => [`${name}/index`, `function:${name}`]),
      ...modulesApart().map((file) => [`apart/${file}`, file]),
    ]),
    outdir: chunks,
    splitting: true,
    plugins: [...bundleOptions.plugins, functionEntries],
    sourcemap: true,
    sourcesContent: false,
  });
  const { metafile } = await build({
    ...bundleOptions,
    entryPoints: Object.fromEntries(functions.map(({ name }) => [`${name}/index`, join(chunks, name, 'index.mjs')])),
    outdir: directory,
    plugins: [onDemandApart, pureChunks],
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
  });
  await rm(chunks, { recursive: true });
  return metafile;
}

/**
 * Lists the modules of `shared` that create schemas when they load, or import a client of AWS, which creates more. Each
 * becomes a chunk of its own, which only functions that use it load. In a chunk with the contracts, or with what opens
 * the clients, every function of a subject would load all of them.
 */
const modulesApart = () =>
  globSync('shared/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).filter((file) =>
    /from '(zod\/mini|@aws-sdk\/.*)'/.test(readFileSync(join(root, file), 'utf8')),
  );

async function bundleOnDemand(directory: string): Promise<void> {
  await build({
    ...bundleOptions,
    external: neverLoaded,
    entryPoints: Object.fromEntries(loadedOnDemand.map((specifier) => [nameOf(specifier), specifier])),
    outdir: directory,
    plugins: [...bundleOptions.plugins, onDemandApart],
  });
}

/**
 * Makes a function read its environment and create its clients when it starts, before the first request has to wait.
 */
const functionEntries: Plugin = {
  name: 'function-entries',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^function:/ }, ({ path }) => ({ path: path.replace('function:', ''), namespace: 'function' }));
    onLoad({ filter: /./, namespace: 'function' }, ({ path }) => ({
      contents: `import { start } from './${path}.ts';\nexport const handler = start();\n`,
      resolveDir: dirname(sourceFile(path)),
    }));
  },
};

/**
 * Keeps the on-demand modules out of the functions' bundles and out of each other's. With them among the chunks,
 * functions would load everything that both sides may share at start, 15 % more.
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

/**
 * Chunks do nothing when they load, as `package.json` says of our modules, so a function leaves out those from which it
 * needs nothing.
 */
const pureChunks: Plugin = {
  name: 'pure-chunks',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\/.*\.mjs$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path),
      sideEffects: false,
    }));
  },
};

/** Lists which on-demand bundles go into which function's folder. */
function filesToCopy({ outputs }: Metafile): { folder: string; file: string }[] {
  const onDemand = loadedOnDemand.map(fileOf);
  return Object.entries(outputs).flatMap(([output, { imports }]) =>
    onDemand
      .filter((file) => imports.some(({ path }) => path === `./${file}`))
      .map((file) => ({ folder: basename(dirname(output)), file })),
  );
}

/** The pages, each a folder of `web`. */
type PageName = 'preview' | 'console' | 'sheet';

/** Bundles the script and the style of a page into a folder; their names change with their content. */
export async function buildPage(page: PageName, outdir: string): Promise<void> {
  const web = join(root, 'web');
  // Otherwise the files of an earlier build would stay.
  await rm(outdir, { recursive: true, force: true });
  await build({
    absWorkingDir: join(web, page),
    entryPoints: [`${page}.tsx`, `${page}.css`],
    entryNames: '[name]-[hash]',
    outdir,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    jsx: 'transform',
    jsxFactory: 'h',
    jsxFragment: 'Fragment',
    inject: [join(web, 'jsx.ts')],
    // The configuration for the type checker would make a function create each element, with its children among the
    // properties.
    tsconfigRaw: {},
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
}

if (import.meta.main) await buildFunctions();
