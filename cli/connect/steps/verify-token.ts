import { shakeHands } from '../../platform/handshake.ts';
import type { Callback } from '../../platform/management.ts';
import { type Outcome, StepFailure } from '../steps.ts';

/** Makes the platform's handshake with our own address, from here. */
export async function checkVerifyToken(callback: Callback): Promise<Outcome> {
  const { url } = callback;
  const { status, isComplete, reason } = await shakeHands(callback);
  if (isComplete) return { state: 'already', text: `${url} knows the verify token.` };
  if (status === null) {
    throw new StepFailure(
      `${url} does not respond from here (${reason}). Check that the service, or the tunnel, runs.`,
    );
  }
  if (status === 403) {
    throw new StepFailure(
      `${url} does not know this verify token. If it was stored a moment ago, try again. Otherwise another deployment ` +
        'may run there.',
    );
  }
  throw new StepFailure(
    `${url} responds with ${status}, not with the challenge: something else runs there, or stands before it.`,
  );
}
