import type { Plugin } from 'esbuild';

/**
 * Takes Node's own modules from `process.getBuiltinModule` where the source imports them. An import makes Node read
 * every export of the module, and what these load in turn: `node:http` all of fetch for its WebSocket, `node:tls` the
 * list of root certificates. That costs each function 4 ms of its start, and one that calls receivers 18 ms.
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
 * A module that reads from the built-in one only those exports that are imported: what is pure and unused is left out.
 */
async function moduleOf(builtin: string): Promise<string> {
  const names = Object.keys(await import(builtin)).filter((name) => /^(?!default$)[\w$]+$/.test(name));
  return [
    `const builtin = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(builtin)});`,
    ...names.map((name) => `const $${name} = /* @__PURE__ */ (() => builtin.${name})();`),
    `export { builtin as default, ${names.map((name) => `$${name} as ${name}`).join(', ')} };`,
  ].join('\n');
}
