import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * A line of a stack that leads into a file: `    at async name (file:///path/index.mjs:33:5624)`, with a name or
 * without.
 */
const frame = /^( +at ).*?(file:\S+?):(\d+):(\d+)\)?$/gm;

/** By the URL of the file that each belongs to, once a stack has led there. */
const sourceMaps = new Map<string, SourceMap | undefined>();

/**
 * The stack with every place in a bundle turned to that in the source, by the source map beside the bundle. The
 * bundle's short names go; what no map tells of stays as it is. Node's `--enable-source-maps` would read the map at
 * each start.
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
