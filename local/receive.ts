/** `npm run receive`: shows the notifications of a number of the running world, by default of its first one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { startReceiver } from './receiver.ts';
import type { WorldDescription } from './world-description.ts';

const file = join(process.env.LOCAL_DATA_DIR || join(import.meta.dirname, '../.local'), 'world.json');
const world = readWorld();
const number = process.argv[2] ?? world.numbers[0]?.id ?? '';

try {
  const receiver = await startReceiver(world, number, ({ verified, headers, notification }) => {
    console.log(`\n${new Date().toISOString()}, ${textOfSignature(verified)}`);
    for (const [name, value] of Object.entries(headers)) console.log(`${name}: ${value}`);
    console.log(inspect(notification, { depth: null, colors: process.stdout.isTTY }));
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void receiver.close().finally(() => process.exit()));
  }
  console.log(`receiving the notifications of number ${number} at ${receiver.url}; Ctrl-C ends it`);
} catch (error) {
  fail(`The notifications cannot be received: ${error instanceof Error ? error.message : error}`);
}

function textOfSignature(verified: boolean | undefined): string {
  if (verified === undefined) return 'the signature is not checked: the secret was rotated five times in a day';
  return verified ? 'the signature is right' : 'THE SIGNATURE IS WRONG';
}

function readWorld(): WorldDescription {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return fail(`There is no ${file}. Start the local world first: npm start`);
  }
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
