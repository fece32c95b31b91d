import { cp } from 'node:fs/promises';
import { inject } from 'vitest';
import { stampSources, writeStamp } from '#local/start/build-stamp.ts';

/**
 * Copies the build of the tests to where `npm start` expects its own. The template in it names the folder of the
 * functions that the tests have built, so nothing is built again.
 */
export async function copyBuild(folder: string): Promise<void> {
  await cp(inject('buildDirectory'), folder, { recursive: true });
  await writeStamp(folder, await stampSources(folder));
}
