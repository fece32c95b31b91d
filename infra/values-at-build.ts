import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';

/** The module whose exports are plain data that takes long to compute and is the same for every deployment. */
const filter = /[\\/]get-openapi[\\/]api-document\.ts$/;

/** Replaces a module by the values of its exports, so that a function starts with the result. */
export const valuesAtBuild: Plugin = {
  name: 'values-at-build',
  setup({ onLoad }) {
    onLoad({ filter }, async ({ path }) => {
      const values: Record<string, unknown> = await import(pathToFileURL(path).href);
      return { contents: Object.entries(values).map(exported).join('\n') };
    });
  },
};

/** Engines parse a long text of JSON faster than the same object written as code. */
const exported = ([name, value]: [string, unknown]) =>
  `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))});`;
