/** `npm run smoke -- --stage prod`: tries a deployed service end to end, and removes what it made. */
import { parseArgs } from 'node:util';
import { describeTaken, takenByNpm } from '#shared/base/taken-by-npm.ts';
import { hourMs } from '#shared/base/time/duration.ts';
import { stackNameOf, stageName } from '#shared/runtime/stage.ts';
import { stopSignal } from '../stop-signal.ts';
import { describeFailure, UsageError } from '../terminal/failures.ts';
import { visible } from '../terminal/visible.ts';
import { openLocal, openStage, type Place } from './place.ts';
import { startReceiver } from './receiver.ts';
import { type Removal, removeAll } from './removal.ts';
import { createTemporary, removalsOf, removeLeftovers, trialName } from './temporary.ts';
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
  const taken = takenByNpm(Object.keys(knownOptions), process.env);
  if (taken.length > 0) throw new UsageError(describeTaken(taken, 'npm run smoke --'));
  const { help: isHelp, ...options } = parse(words);
  if (isHelp) return undefined;
  const { stage, local = false, receiver } = options;
  if (local === (stage !== undefined))
    throw new UsageError('Give either --stage or --local, after --: npm run smoke -- --local');
  if (stage !== undefined && !stageName.pattern.test(stage))
    throw new UsageError(`--stage must be ${stageName.expected}.`);
  if (receiver !== undefined && !(/^https?:\/\//.test(receiver) && URL.canParse(receiver)))
    throw new UsageError('--receiver must be a URL.');
  return { stage, local, receiver };
}

const knownOptions = {
  stage: { type: 'string' },
  local: { type: 'boolean' },
  receiver: { type: 'string' },
  help: { type: 'boolean' },
} as const;

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: knownOptions }).values;
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
      console.log(`WRONG  ${name}\n       ${visible(isFinding(error) ? error.message : describeFailure(error))}`);
    }
  }
  return wrong;
}

/** Whether a step says what is wrong. Errors of the network have a code. */
const isFinding = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'Error' && !('code' in error);

async function smoke({ stage, local, receiver: url }: Options, signal: AbortSignal): Promise<number> {
  const place = local ? await openLocal(process.env.LOCAL_DATA_DIR || '.local') : await openStage(String(stage));
  console.log(`Trying ${local ? 'the local world' : stackNameOf(String(stage))} at ${place.baseUrl}`);
  await removeLeftovers(Date.now() - hourMs, place);
  const own = place.isLocal && url === undefined ? await startReceiver() : undefined;
  const receiver = url ?? own?.url;
  const ofSteps: Removal[] = [];
  const trial = trialName();
  let wrong: number;
  let left: string[] = [];
  try {
    const temporary = await createTemporary(trial, place);
    const later = (removal: Removal) => void ofSteps.push(removal);
    wrong = await runSteps(stepsOf({ place, temporary, receiver, later, signal }), signal);
  } finally {
    own?.close();
    left = await removeAll([...ofSteps, ...removalsOf(trial, place)]);
    console.log(left.length === 0 ? removed : describeLeft(trial, left));
  }
  if (signal.aborted) {
    console.log('Not everything was tried.');
    return interruptedCode;
  }
  for (const each of unchecked(place, receiver)) console.log(`not checked: ${each}`);
  console.log(summary(wrong, left.length));
  return wrong === 0 && left.length === 0 ? 0 : 1;
}

function summary(wrong: number, left: number): string {
  if (wrong > 0) return `${wrong} of the steps found something wrong.`;
  return left > 0 ? 'All steps went well, but not everything was removed.' : 'All is well.';
}

const removed = 'What the trial made is removed, except for the record of its Idempotency-Key, which expires in a day.';

const describeLeft = (trial: string, failures: readonly string[]): string =>
  `${failures.join('\n')}
A user, a workspace with a number and a Flow, and what the trial sent and uploaded may be left, by the name
"${trial}". The next run of npm run smoke removes them, once they are an hour old.
A preview expires in an hour, and the record of the Idempotency-Key in a day.`;

function unchecked(place: Place, receiver: string | undefined): string[] {
  return [
    ...(receiver === undefined
      ? ['that a receiver gets notifications: there is no --receiver, so they went to a name that does not exist']
      : []),
    ...(place.alarms ? [] : ['alarms: the local world has none']),
    ...neverChecked.map(({ what }) => what),
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
