import { inspect } from 'node:util';
import { visible, visibleLine } from '#shared/base/text.ts';
import { receiveCommand } from './live/texts.ts';
import { startReceiver } from './receiver.ts';
import { stopSignal } from './stop-signal.ts';
import { readWorldFile, worldFile } from './world-description-file.ts';
import { worldPrefix } from './world-folder.ts';

/**
 * Shows the notifications of a number of the running world, by default of its first one, until Ctrl-C. A live world's
 * numbers and tokens it cannot know: then the number is needed, and the token in TOKEN.
 *
 * @param options.start the command that starts the world
 */
export async function receive(
  reference: string | undefined,
  { live = false, start }: { live?: boolean; start: string },
): Promise<void> {
  const world = readWorldFile({ live }) ?? fail(`There is no ${worldFile({ live })}. Start the world first: ${start}`);
  const number = reference ?? world.numbers?.[0]?.id ?? '';
  const token = live ? process.env.TOKEN : world.tokens?.owner;
  if (token === undefined || number === '') {
    fail(
      `A live world needs a number, and a token of its workspace in TOKEN: ${receiveCommand(worldPrefix(process.env))}`,
    );
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
