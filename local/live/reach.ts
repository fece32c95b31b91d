import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import { parseJson } from '#shared/base/json/parse-json.ts';
import type { Proof } from '../aws/gateway/public-host.ts';

/** What became of the attempt to reach this world at its public address. */
export type Reach =
  | { readonly outcome: 'reached' }
  /** The tunnel makes the requests of the internet look like those of this machine. */
  | { readonly outcome: 'exposed'; readonly text: string }
  | { readonly outcome: 'unreached'; readonly text: string };

export interface ReachOptions {
  readonly publicUrl: string;
  /** Where only this world responds as it does. */
  readonly proofPath: string;
  /** The API on this machine, to which the tunnel must lead. */
  readonly localUrl: string;
  readonly fetch?: typeof fetch;
}

const timeoutMs = 10_000;

const proofSchema: z.ZodMiniType<Proof> = z.object({ recognised: z.boolean() });

/** Asks the public address for the proof that it leads to this world, and explains what is wrong if it does not. */
export async function tryToReach(options: ReachOptions): Promise<Reach> {
  const { publicUrl, proofPath, localUrl } = options;
  const unreached = (text: string): Reach => ({ outcome: 'unreached', text: `${publicUrl} ${text}` });
  let response: Response;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    response = await (options.fetch ?? fetch)(publicUrl + proofPath, { redirect: 'manual', signal });
  } catch (error) {
    return unreached(`does not respond (${reasonOf(error)}). Is the tunnel running, and is PUBLIC_URL its address?`);
  }
  const { status } = response;
  const proof = z.safeParse(proofSchema, parseJson(await response.text().catch(() => '')));
  if (status === 200 && proof.success) {
    return proof.data.recognised ? { outcome: 'reached' } : { outcome: 'exposed', text: exposed(publicUrl) };
  }
  if (status === 421) {
    return unreached(
      `leads to a local world that expects another name. The tunnel must pass the Host header on as it is.`,
    );
  }
  if (status >= 300 && status < 400)
    return unreached(`redirects (status ${status}). It must lead to ${localUrl} itself.`);
  if (status >= 500) return unreached(`responds with ${status}: the tunnel does not reach ${localUrl}. ${where}`);
  return unreached(`leads to something else (status ${status}), not to this world at ${localUrl}. ${where}`);
}

const where = 'Does the tunnel lead to that port?';

const exposed = (publicUrl: string) =>
  `The tunnel at ${publicUrl} replaces the Host header, so that requests of the internet look like those of this machine ` +
  'and the whole API would be public. Start it again without the option that does so (--host-header, --http-host-header).';

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
  const { cause } = error;
  const code = cause instanceof Error ? (Reflect.get(cause, 'code') ?? cause.message) : undefined;
  return String(code ?? error.message);
}
