import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { liveFolder } from '#cli/live-folder.ts';
import type { WorldAddresses, WorldDescription } from './world-description.ts';

type Described = WorldAddresses & Partial<WorldDescription> & { console_url?: string };

/** The file that a running world writes. A live world has a folder of its own. */
export function worldFile({ live }: { live: boolean }): string {
  const folder = live ? liveFolder(process.env) : join(import.meta.dirname, '../.local');
  return join(process.env.LOCAL_DATA_DIR || folder, 'world.json');
}

/** What the world that started last says about itself; `undefined` if none did. */
export function readWorldFile(kind: { live: boolean }): Described | undefined {
  try {
    return JSON.parse(readFileSync(worldFile(kind), 'utf8'));
  } catch {
    return undefined;
  }
}
