import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Matches a stack line that points into a file: `    at async name (file:///path/index.mjs:33:5624)`. The name is
 * optional.
 */
const frame = /^( +at ).*?(file:\S+?):(\d+):(\d+)\)?$/gm;

/** Source maps by the URL of their bundle, loaded when a stack first points there. */
const sourceMaps = new Map<string, SourceMap | undefined>();

/**
 * Replaces every place in a bundle with its place in the source, using the source map beside the bundle, and removes
 * the bundle's short names. Lines that no map covers stay unchanged. Node's `--enable-source-maps` would read the map
 * at each start.
 */
export function originalStack(stack: string): string {
  return stack.replace(frame, (line, at: string, file: string, lineNumber: string, column: string) => {
    const origin = sourceMapOf(file)?.findOrigin(Number(lineNumber), Number(column));
    if (!origin || !('fileName' in origin)) return line;
    return `${at}${origin.fileName.replace(/^(\.\.\/)+/, '')}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}

function sourceMapOf(file: string): SourceMap | undefined {
  if (!sourceMaps.has(file)) sourceMaps.set(file, readSourceMap(file));
  return sourceMaps.get(file);
}

function readSourceMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${file}.map`), 'utf8')));
  } catch {
    return undefined;
  }
}
