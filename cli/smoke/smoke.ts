import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stopSignal } from '#local/stop-signal.ts';
import type { Service } from '../service.ts';
import { describeFailure } from '../terminal/describe-failure.ts';
import { Interrupted, Rejection } from '../terminal/errors.ts';
import type { Result } from '../terminal/render.ts';
import { createTemporary, removeTemporary } from './temporary.ts';
import { neverChecked, stepsOf } from './trial.ts';

interface StepResult {
  step: string;
  state: 'ok' | 'wrong';
  /** What is wrong. */
  text: string;
}

/**
 * Tries the service end to end, and removes what it made.
 *
 * @param receiver the URL of a receiver of notifications
 * @param say shows a line at once
 * @throws Interrupted after Ctrl-C
 */
export async function smoke(
  service: Service,
  receiver: string | undefined,
  say: (line: string) => void,
): Promise<Result> {
  // A killed run has left these.
  await removeTemporary(service);
  // Only a world on this machine may send to it.
  const own = !receiver && service.surroundings.allowedCidrs ? await startReceiver() : undefined;
  const url = receiver ?? own?.url;
  const steps: StepResult[] = [];
  try {
    for await (const result of runSteps(service, url, say)) {
      say(result.state === 'ok' ? `ok     ${result.step}` : `WRONG  ${result.step}\n       ${result.text}`);
      steps.push(result);
    }
  } finally {
    own?.close();
    await removeTemporary(service).catch((error: unknown) => {
      throw new Rejection(`Not everything was removed; the next run does it. ${describeFailure(error)}`);
    });
  }
  const wrong = steps.filter(({ state }) => state === 'wrong').length;
  const unchecked = [
    ...(url ? [] : ['that a receiver gets notifications: without --receiver, they went to a name that does not exist']),
    ...(service.surroundings.readAlarms ? [] : ['alarms: only a stage has them']),
    ...neverChecked,
  ];
  const summary = wrong > 0 ? `${wrong} of the steps found something wrong.` : 'All is well.';
  return {
    value: { steps: steps.map((each) => ({ ...each })), not_checked: unchecked.map((what) => ({ what })) },
    text: [...unchecked.map((what) => `not checked: ${what}`), summary].join('\n'),
    hasFindings: wrong > 0,
  };
}

/** Runs every step, whatever the others found. */
async function* runSteps(
  service: Service,
  receiver: string | undefined,
  say: (line: string) => void,
): AsyncGenerator<StepResult> {
  const signal = stopSignal();
  signal.addEventListener('abort', () => say('Interrupted: removing what the trial made.'));
  say(`Trying ${service.baseUrl}`);
  const temporary = await createTemporary(service);
  for (const [step, run] of Object.entries(stepsOf({ service, temporary, receiver, signal }))) {
    const problem = await run().then(() => undefined, describeFailure);
    if (signal.aborted) throw new Interrupted();
    yield { step, state: problem === undefined ? 'ok' : 'wrong', text: problem ?? '' };
  }
}

/** A receiver on this machine. */
async function startReceiver() {
  const server = createServer((request, response) => request.resume().on('end', () => response.end()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => void server.close().closeAllConnections() };
}
