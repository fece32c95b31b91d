import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { root } from './paths.ts';

/** Modules whose exports are plain data that takes long to compute and is the same for every deployment. */
const modules = ['functions/get-openapi/api-document.ts'].map((path) => join(root, path));

/** Replaces modules by the values of their exports, so that functions start with the result. */
export const valuesAtBuild: Plugin = {
  name: 'values-at-build',
  setup({ onLoad }) {
    onLoad({ filter: /./, namespace: 'file' }, async ({ path }) => {
      if (!modules.includes(path)) return undefined;
      const values: Record<string, unknown> = await import(pathToFileURL(path).href);
      return { contents: Object.entries(values).map(exported).join('\n') };
    });
  },
};

/** Engines parse a long text of JSON faster than the same object written as code. */
const exported = ([name, value]: [string, unknown]) =>
  `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))});`;
