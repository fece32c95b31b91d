import { shakeHands } from '../../platform/handshake.ts';
import type { Callback } from '../../platform/management.ts';
import { type Outcome, StepFailure } from '../steps.ts';

/** Makes the platform's handshake with our own address, from here. */
export async function checkVerifyToken(callback: Callback): Promise<Outcome> {
  const { url } = callback;
  const { status, isComplete } = await shakeHands(callback).catch((error: Error) => {
    throw new StepFailure(`${error.message}. Check the address, and that the service runs.`);
  });
  if (isComplete) return { state: 'already', text: `${url} knows the verify token.` };
  if (status === 403) {
    throw new StepFailure(
      `${url} does not know this verify token. Another deployment may run there, or it still has an older secret: ` +
        'try again in five minutes.',
    );
  }
  throw new StepFailure(
    `${url} responds with ${status}, not with the challenge: something else runs there, or stands before it.`,
  );
}
