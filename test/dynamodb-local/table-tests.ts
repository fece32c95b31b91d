import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The modules that open a table in an engine. A test that imports one of them, directly or not, touches a table. */
const tables = ['support/aws/dynamodb.ts', 'local/world.ts', 'support/worlds/world-process.ts', 'messaging.js'];

/** The tests that touch a table in an engine, found by what they import. */
export function tableTests(root: string): string[] {
  const results = new Map<string, boolean>();

  function touchesTable(file: string): boolean {
    if (tables.includes(file)) return true;
    const answer = results.get(file);
    if (answer !== undefined) return answer;
    // Ends cycles of imports.
    results.set(file, false);
    const touches = importsOf(file, root).some(touchesTable);
    results.set(file, touches);
    return touches;
  }
  const tests = globSync('**/*.test.ts', { cwd: root, exclude: ['node_modules/**'] });
  return tests.filter(touchesTable).sort();
}

/** Imports by relative paths and by the aliases of `package.json`, and programs that are started by their path. */
function importsOf(file: string, root: string): string[] {
  let text: string;
  try {
    text = readFileSync(join(root, file), 'utf8');
  } catch {
    return [];
  }
  const imported = [...text.matchAll(/(?:from|import)\s*\(?\s*'([#.][^']+\.tsx?)'/g)].map(([, specifier = '']) =>
    specifier.startsWith('#') ? specifier.slice(1) : relative('/', join('/', dirname(file), specifier)),
  );
  const started = tables.filter((path) => text.includes(`'${path}'`) || text.includes(`/${path}'`));
  return [...imported, ...started];
}
