import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lazy } from '#shared/base/cache.ts';
import { root } from './paths.ts';

/** What a deployment is made of: the code of the product, and the exact versions of the packages. */
const sources = ['{functions,shared,infra,web}/**/*.*', 'package-lock.json', 'cdk.json'];

/**
 * A hash of the code in this checkout, as it was at the first call. The stack has it as an output, so that one can tell
 * whether it runs the code that is here.
 */
export const codeVersion = lazy((): string => {
  const hash = createHash('sha256');
  for (const path of sourcePaths()) {
    const content = readFileSync(join(root, path));
    hash.update(`\0${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
});

function sourcePaths(): string[] {
  const paths = globSync(sources, { cwd: root }).map((path) => path.replaceAll('\\', '/'));
  return paths.filter((path) => !path.endsWith('.test.ts')).sort();
}
