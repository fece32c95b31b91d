import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapping } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CallFrame } from './cpu-profile.ts';

/** Where a frame of a profile comes from. */
export interface Place {
  /** What people would blame: a layer of ours, a package, Node. */
  owner: string;
  /** The function with its file and line. */
  name: string;
}

export interface Bundle {
  /** The file that ran. */
  file: string;
  sourceMap: string;
  /** The folder into which the bundler wrote: the sources are relative to it. */
  builtIn: string;
  /** The root of the project. */
  root: string;
}

/** Files of functions' folders that the bundle's source map does not cover. */
const owners: Readonly<Record<string, string>> = {
  'index.mjs': 'profiler',
  'bootstrap.mjs': 'local runtime',
  'json-console.mjs': 'local runtime',
};

/** Node's type lacks the name that the code had before it was minified. */
type Entry = SourceMapping & { name?: string };

/** Finds the places of frames, through the bundle's source map. */
export function placesOf({ file, sourceMap, builtIn, root }: Bundle): (frame: CallFrame) => Place | undefined {
  const map = new SourceMap(JSON.parse(readFileSync(sourceMap, 'utf8')));
  const url = pathToFileURL(file).href;
  const entryAt = (line: number, column: number): Entry | undefined => {
    const entry = map.findEntry(line, column);
    return 'originalSource' in entry ? entry : undefined;
  };

  /** A function's place is its opening bracket. Its name stands just before that, or before an equals sign. */
  function originalName({ functionName, lineNumber, columnNumber }: CallFrame): string | undefined {
    const starts = [columnNumber, columnNumber - functionName.length, columnNumber - functionName.length - 1];
    return starts
      .map((start) => entryAt(lineNumber, start))
      .find((entry, index) => entry?.name !== undefined && entry.generatedColumn === starts[index])?.name;
  }

  function inBundle(frame: CallFrame): Place {
    const entry = entryAt(frame.lineNumber, frame.columnNumber);
    const name = originalName(frame) ?? (frame.functionName || '(anonymous)');
    if (!entry) return { owner: 'bundle', name };
    const source = sourceOf(entry.originalSource, builtIn, root);
    return { owner: ownerOf(source), name: `${name} ${shortened(source)}:${entry.originalLine + 1}` };
  }

  return (frame) => {
    const { functionName, lineNumber } = frame;
    if (functionName === '(root)' || functionName === '(idle)') return undefined;
    if (frame.url === url) return inBundle(frame);
    if (frame.url === '') {
      return {
        owner: functionName === '(garbage collector)' ? 'garbage collector' : 'native code',
        name: functionName,
      };
    }
    const name = `${functionName || '(anonymous)'} ${frame.url.split('/').slice(-2).join('/')}:${lineNumber + 1}`;
    const file = basename(frame.url);
    return { owner: frame.url.startsWith('node:') ? 'Node' : (owners[file] ?? file), name };
  };
}

/** The path of a source from the root of the project. Sources that are no files keep their name. */
function sourceOf(source: string, builtIn: string, root: string): string {
  return /^[\w-]+:/.test(source) ? source : relative(root, join(builtIn, source));
}

/** The owner of a source file: all packages of AWS count as one, and our own code by folder and layer. */
export function ownerOf(source: string): string {
  if (source.startsWith('node-builtins:')) return 'Node';
  const [, dependency] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
  if (dependency === undefined)
    return `our ${dirname(source)
      .split('/')
      .slice(0, source.startsWith('shared/') ? 2 : 1)
      .join('/')}`;
  return /^@(aws-sdk|aws-crypto|smithy|aws)\//.test(dependency) ? 'AWS SDK' : dependency;
}

const shortened = (source: string) => source.replace(/.*node_modules\//, '');
