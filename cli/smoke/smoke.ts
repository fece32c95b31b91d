import { stopSignal } from '#local/stop-signal.ts';
import { hourMs } from '#shared/base/time/duration.ts';
import { visible } from '#shared/base/visible.ts';
import { stackNameOf } from '#shared/runtime/stage.ts';
import { describeFailure } from '../terminal/failures.ts';
import { openPlace, type Place } from './place.ts';
import { startReceiver } from './receiver.ts';
import { type Removal, removeAll } from './removal.ts';
import { createTemporary, removalsOf, removeLeftovers, trialName } from './temporary.ts';
import { neverChecked, stepsOf } from './trial.ts';

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

/**
 * Tries a deployed stage or, without one, the local world end to end, and removes what it made. Returns the exit code.
 *
 * @param url a receiver of notifications
 */
export async function smoke(stage: string | undefined, url: string | undefined): Promise<number> {
  const signal = stopSignal();
  signal.addEventListener('abort', sayInterrupted);
  const place = await openPlace(stage);
  console.log(`Trying ${stage === undefined ? 'the local world' : stackNameOf(stage)} at ${place.baseUrl}`);
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
"${trial}". The next run of ./messaging smoke removes them, once they are an hour old.
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

function sayInterrupted(): void {
  console.log('Interrupted: removing what the trial made. Press Ctrl-C again to leave it.');
  // The first Ctrl-C may arrive twice, but within a second.
  const leave = () => process.exit(interruptedCode);
  setTimeout(() => process.on('SIGINT', leave).on('SIGTERM', leave), 1_000).unref();
}
