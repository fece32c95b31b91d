import { setTimeout as delay } from 'node:timers/promises';
import { parseJson } from '#shared/base/json.ts';

/** What became of the attempt to reach this world at its public address. */
export type Reach =
  | { readonly outcome: 'reached' }
  /** The tunnel leads to the port of the whole API. */
  | { readonly outcome: 'exposed'; readonly text: string }
  | { readonly outcome: 'unreached'; readonly text: string };

export interface ReachOptions {
  readonly publicUrl: string;
  /** Where only this world responds as it does. */
  readonly proofPath: string;
  /** The address on this machine to which the tunnel must lead. */
  readonly tunnelUrl: string;
}

/** What the two gateways of a live world respond at the path of the proof. */
export const proofs = { public: 'public', api: 'api' } as const;

const timeoutMs = 10_000;

/** Asks the public address for the proof that it leads to this world, and explains what is wrong if it does not. */
export async function tryToReach(options: ReachOptions): Promise<Reach> {
  const { publicUrl, tunnelUrl } = options;
  const unreached = (reason: string): Reach => ({ outcome: 'unreached', text: `${publicUrl} ${reason}` });
  let response: ProofResponse;
  try {
    response = await ask(options);
  } catch (error) {
    return unreached(`does not respond (${reasonOf(error)}). Is the tunnel running, and is PUBLIC_URL its address?`);
  }
  const { status, proof } = response;
  if (proof === proofs.public) return { outcome: 'reached' };
  // With 421, the port of an API rejects the name of the tunnel. A stranger would give the name of this machine.
  if (proof === proofs.api || status === 421) {
    return {
      outcome: 'exposed',
      text: `${publicUrl} leads to the port of an API, so the whole API could be used from the internet. Let the tunnel lead to ${tunnelUrl}.`,
    };
  }
  if (status >= 300 && status < 400)
    return unreached(`redirects (status ${status}). It must lead to ${tunnelUrl} itself.`);
  if (status >= 500) return unreached(`responds with ${status}: the tunnel does not reach ${tunnelUrl}. ${where}`);
  return unreached(`leads to something else (status ${status}), not to this world at ${tunnelUrl}. ${where}`);
}

const where = 'Does the tunnel lead to that port?';

interface ProofResponse {
  readonly status: number;
  readonly proof: unknown;
}

async function ask({ publicUrl, proofPath }: ReachOptions): Promise<ProofResponse> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(publicUrl + proofPath, { redirect: 'manual', signal });
  return { status: response.status, proof: parseJson(await response.text()) };
}

/** A tunnel through which the whole API would be public. */
export class ExposedError extends Error {}

const againMs = 10_000;

/**
 * Tries until the public address leads to this world, and reports each new reason why it does not. A tunnel may need a
 * while, or start after the world.
 *
 * @throws ExposedError
 */
export async function waitUntilReached(
  options: ReachOptions,
  { report, signal }: { report: (text: string) => void; signal: AbortSignal },
): Promise<void> {
  for (let last = ''; !signal.aborted; ) {
    const reach = await tryToReach(options);
    if (reach.outcome === 'exposed') throw new ExposedError(reach.text);
    if (reach.outcome === 'reached') return report(`reached: ${options.publicUrl} leads to this world`);
    if (reach.text !== last) report(`not reached: ${reach.text} This is tried again every ${againMs / 1000} s.`);
    last = reach.text;
    await delay(againMs, undefined, { signal }).catch(() => undefined);
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no response within ${timeoutMs / 1000} s`;
  const { cause = error } = error;
  return String(Reflect.get(cause as object, 'code') ?? error.message);
}
