import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorldAddresses, WorldDescription } from './world-description.ts';
import { worldFolder } from './world-folder.ts';

type Described = WorldAddresses & Partial<WorldDescription> & { console_url?: string };

/** The file that a running world writes. A live world has a folder of its own. */
export function worldFile({ live }: { live: boolean }): string {
  return join(worldFolder({ live }), 'world.json');
}

/** What the world that started last says about itself; `undefined` if none did. */
export function readWorldFile(kind: { live: boolean }): Described | undefined {
  try {
    return JSON.parse(readFileSync(worldFile(kind), 'utf8'));
  } catch {
    return undefined;
  }
}
