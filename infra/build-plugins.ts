import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'esbuild';

/**
 * Replaces imports of Node's own modules with `process.getBuiltinModule`. An import makes Node read every export of the
 * module, and everything that these exports load: for `node:http`, all of fetch because of its WebSocket; for
 * `node:tls`, the list of root certificates. That would cost each function 4 ms at start, and one that calls receivers
 * 18 ms.
 */
export const nodeBuiltins: Plugin = {
  name: 'node-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'node-builtins' } : undefined,
    );
    onLoad({ filter: /^/, namespace: 'node-builtins' }, async ({ path }) => ({ contents: await moduleOf(path) }));
  },
};

/**
 * Creates a module that reads from the built-in one only the exports that are imported: esbuild drops the rest because
 * it is pure and unused.
 */
async function moduleOf(builtin: string): Promise<string> {
  const names = Object.keys(await import(builtin)).filter((name) => /^(?!default$)[\w$]+$/.test(name));
  return [
    `const builtin = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(builtin)});`,
    ...names.map((name) => `const $${name} = /* @__PURE__ */ (() => builtin.${name})();`),
    `export { builtin as default, ${names.map((name) => `$${name} as ${name}`).join(', ')} };`,
  ].join('\n');
}

/** The module whose exports are plain data that takes long to compute and is the same for every deployment. */
const filter = /[\\/]documentation[\\/]api-document\.ts$/;

/** Replaces a module by the values of its exports, so that a function starts with the result. */
export const valuesAtBuild: Plugin = {
  name: 'values-at-build',
  setup({ onLoad }) {
    onLoad({ filter }, async ({ path }) => {
      const values: Record<string, unknown> = await import(pathToFileURL(path).href);
      return { contents: Object.entries(values).map(toExport).join('\n') };
    });
  },
};

/**
 * Engines parse a long text of JSON faster than the same object written as code. Compressed, it is a tenth of what a
 * function loads at start.
 */
function toExport([name, value]: [string, unknown]): string {
  const compressed = gzipSync(JSON.stringify(value)).toString('base64');
  const text = `process.getBuiltinModule('node:zlib').gunzipSync(Buffer.from('${compressed}', 'base64'))`;
  return `export const ${name} = JSON.parse(${text});`;
}
