/**
 * `npm run receive`: shows the notifications of a number of the running world, by default of its first one. With
 * `--live`, it is the live world, whose numbers and tokens it cannot know: `npm run receive -- --live NUMBER`, with the
 * token in TOKEN.
 */
import { inspect } from 'node:util';
import { stopSignal } from '#cli/stop-signal.ts';
import { worldPrefix } from '#cli/terminal/hints.ts';
import { visible, visibleLine } from '#cli/terminal/visible.ts';
import { readArguments } from './command-line.ts';
import { receiveCommand } from './live/texts.ts';
import { startReceiver } from './receiver.ts';
import { readWorldFile, worldFile } from './world-description-file.ts';

const usage = `Usage: npm run receive -- [NUMBER]
       npm run receive -- --live NUMBER, with the token in TOKEN

Shows the notifications of a number of the running world, by default of its first one, until Ctrl-C.`;
const { values, positionals } = readArguments(usage, {
  allowPositionals: true,
  options: { live: { type: 'boolean' } },
});
const live = values.live === true;
const prefix = worldPrefix(process.env);
const start = `${prefix}npm start${live ? ' -- --live' : ''}`;
const world = readWorldFile({ live }) ?? fail(`There is no ${worldFile({ live })}. Start the world first: ${start}`);
const number = positionals[0] ?? world.numbers?.[0]?.id ?? '';
const token = live ? process.env.TOKEN : world.tokens?.owner;
if (token === undefined || number === '') {
  fail(`A live world needs a number, and a token of its workspace in TOKEN: ${receiveCommand(prefix)}`);
}

try {
  const receiver = await startReceiver(
    { base_url: world.base_url, tokens: { owner: token } },
    number,
    ({ verified, headers, notification }) => {
      console.log(`\n${new Date().toISOString()}, ${textOfSignature(verified)}`);
      for (const [name, value] of Object.entries(headers)) console.log(visibleLine(`${name}: ${value}`));
      console.log(visible(inspect(notification, { depth: null })));
    },
  );
  stopSignal().addEventListener('abort', () => {
    console.log('restoring the former webhook of the number');
    receiver.close().then(
      () => process.exit(),
      (error: unknown) =>
        fail(`The former webhook could not be restored: ${error instanceof Error ? error.message : error}`),
    );
  });
  console.log(`receiving the notifications of number ${number} at ${receiver.url}; Ctrl-C ends it`);
} catch (error) {
  fail(
    isAway(error)
      ? `${world.base_url} does not respond. Start the world first: ${start}`
      : `The notifications cannot be received: ${error instanceof Error ? error.message : error}`,
  );
}

/** Whether `fetch` got no response. */
function isAway(error: unknown): boolean {
  return error instanceof TypeError && error.cause !== undefined;
}

function textOfSignature(verified: boolean | undefined): string {
  if (verified === undefined) return 'the signature is not checked: the secret was rotated five times in a day';
  return verified ? 'the signature is right' : 'THE SIGNATURE IS WRONG';
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
