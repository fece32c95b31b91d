import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleOptions } from '#infra/build.ts';
import { type Build, readDefinitions } from '../build.ts';

/** What stands in for each function. */
const entries: Readonly<Record<string, URL>> = {
  ReceiveEvents: new URL('./receive-events.ts', import.meta.url),
  DeliverNotifications: new URL('./deliver-notifications.ts', import.meta.url),
};

/**
 * Puts the bare loop in place of the functions that handle notifications. It makes their SDK calls with their clients
 * and the same POSTs, and nothing else. Everything around them stays: memory, variables, role, gateway and pollers.
 */
export async function useBareLoop(built: Build): Promise<void> {
  const definitions = new Map(readDefinitions(built).map((definition) => [definition.name, definition]));
  for (const [name, entry] of Object.entries(entries)) {
    const { assetFolder } = definitions.get(name) ?? {};
    if (assetFolder === undefined) throw new Error(`The stack has no function ${name}`);
    const outfile = join(assetFolder, 'index.mjs');
    await build({ ...bundleOptions, entryPoints: [fileURLToPath(entry)], outfile });
  }
}
