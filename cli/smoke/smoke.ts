/** `npm run smoke -- --stage prod`: tries a deployed service end to end, and removes what it made. */
import { parseArgs } from 'node:util';
import { stopSignal } from '#shared/base/stop-signal.ts';
import { hourMs } from '#shared/base/time/duration.ts';
import { stackNameOf, stageName } from '#shared/runtime/stage.ts';
import { describeFailure, UsageError } from '../terminal/failures.ts';
import { openLocal, openStage, type Place } from './place.ts';
import { startReceiver } from './receiver.ts';
import { createTemporary, removeLeftovers, removeTemporary, trialName } from './temporary.ts';
import { neverChecked, stepsOf } from './trial.ts';

const help = `Usage: npm run smoke -- (--stage <stage> | --local) [--receiver <url>]

Tries a deployed stage, or the running local world, end to end: API, tokens, events, queue, deliveries, bucket, previews,
dead letters and alarms. It makes a temporary user, workspace, number and Flow, and removes them, also after Ctrl-C. It
never makes the service call the WhatsApp Cloud API.

  --receiver <url>  a server that responds 200 to every POST; without it, no notification is delivered. With --local,
                    there is one of its own

Exit codes: 0 all is well, 1 something is wrong, 2 it could not run, 130 interrupted.`;

interface Options {
  stage: string | undefined;
  local: boolean;
  receiver: string | undefined;
}

function readOptions(words: string[]): Options | undefined {
  const { help: isHelp, ...options } = parse(words);
  if (isHelp) return undefined;
  const { stage, local = false, receiver } = options;
  if (local === (stage !== undefined)) throw new UsageError('Give either --stage <stage> or --local.');
  if (stage !== undefined && !stageName.pattern.test(stage))
    throw new UsageError(`--stage must be ${stageName.expected}.`);
  if (receiver !== undefined && !/^https?:\/\//.test(receiver)) throw new UsageError('--receiver must be a URL.');
  return { stage, local, receiver };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        stage: { type: 'string' },
        local: { type: 'boolean' },
        receiver: { type: 'string' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Runs every step, whatever the others found. Returns how many found something wrong. */
async function runSteps(steps: ReturnType<typeof stepsOf>, signal: AbortSignal): Promise<number> {
  let wrong = 0;
  for (const { name, run } of steps) {
    if (signal.aborted) break;
    try {
      await run();
      console.log(`ok     ${name}`);
    } catch (error) {
      if (signal.aborted) break;
      wrong++;
      console.log(
        `WRONG  ${name}\n       ${error instanceof Error && error.name === 'Error' ? error.message : describeFailure(error)}`,
      );
    }
  }
  return wrong;
}

async function smoke({ stage, local, receiver: url }: Options, signal: AbortSignal): Promise<number> {
  const place = local ? await openLocal(process.env.LOCAL_DATA_DIR || '.local') : await openStage(String(stage));
  console.log(`Trying ${local ? 'the local world' : stackNameOf(String(stage))} at ${place.baseUrl}`);
  const own = place.isLocal && url === undefined ? await startReceiver() : undefined;
  const receiver = url ?? own?.url;
  const removals: (() => Promise<unknown>)[] = [];
  const trial = trialName();
  let wrong: number;
  let isComplete: boolean;
  try {
    await removeLeftovers(Date.now() - hourMs, place);
    const temporary = await createTemporary(trial, place);
    const later = (remove: () => Promise<unknown>) => void removals.push(remove);
    wrong = await runSteps(stepsOf({ place, temporary, receiver, later, signal }), signal);
    isComplete = !signal.aborted;
  } finally {
    own?.close();
    await removeAll(trial, place, removals);
  }
  if (!isComplete) {
    console.log('Not everything was tried.');
    return interruptedCode;
  }
  for (const each of unchecked(place, receiver)) console.log(`not checked: ${each}`);
  console.log(wrong === 0 ? 'All is well.' : `${wrong} of the steps found something wrong.`);
  return wrong === 0 ? 0 : 1;
}

async function removeAll(trial: string, place: Place, removals: readonly (() => Promise<unknown>)[]): Promise<void> {
  try {
    for (const remove of removals) await remove();
  } finally {
    await removeTemporary(trial, place);
  }
  console.log('What the trial made is removed, except for the record of its Idempotency-Key, which expires in a day.');
}

function unchecked(place: Place, receiver: string | undefined): string[] {
  return [
    ...(receiver === undefined
      ? ['that a receiver gets notifications: there is no --receiver, so they went to a name that does not exist']
      : []),
    ...(place.alarms ? [] : ['alarms: the local world has none']),
    ...neverChecked,
  ];
}

/** As a shell has it for a program that SIGINT ended. */
const interruptedCode = 130;

const interrupted = stopSignal();
interrupted.addEventListener('abort', () => {
  console.log('Interrupted: removing what the trial made. Press Ctrl-C again to leave it.');
  // The first Ctrl-C may arrive twice, but within a second.
  const leave = () => process.exit(interruptedCode);
  setTimeout(() => process.on('SIGINT', leave).on('SIGTERM', leave), 1_000).unref();
});

try {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) console.log(help);
  else process.exitCode = await smoke(options, interrupted);
} catch (error) {
  console.error(describeFailure(error));
  process.exitCode = 2;
}
if (interrupted.aborted) process.exitCode = interruptedCode;
