import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import { parseJson } from '#shared/base/json/parse-json.ts';
import { localHosts } from '../aws/base/http/local-requests.ts';
import type { Proof } from '../aws/gateway/public-host.ts';

/** What became of the attempt to reach this world at its public address. */
export type Reach =
  | { readonly outcome: 'reached' }
  /** The tunnel makes the requests of the internet look like those of this machine, or lets them look so. */
  | { readonly outcome: 'exposed'; readonly text: string }
  | { readonly outcome: 'unreached'; readonly text: string };

export interface ReachOptions {
  readonly publicUrl: string;
  /** Where only this world responds as it does. */
  readonly proofPath: string;
  /** The API on this machine, to which the tunnel must lead. */
  readonly localUrl: string;
  /** Further names of this machine. */
  readonly hosts?: readonly string[] | undefined;
}

const timeoutMs = 10_000;

const proofSchema: z.ZodMiniType<Proof> = z.object({ recognised: z.boolean() });

/** Asks the public address for the proof that it leads to this world, and explains what is wrong if it does not. */
export async function tryToReach(options: ReachOptions): Promise<Reach> {
  const { publicUrl, localUrl } = options;
  const unreached = (reason: string): Reach => ({ outcome: 'unreached', text: `${publicUrl} ${reason}` });
  let response: ProofResponse;
  try {
    response = await ask(options);
  } catch (error) {
    return unreached(`does not respond (${reasonOf(error)}). Is the tunnel running, and is PUBLIC_URL its address?`);
  }
  const { status, proof } = response;
  if (proof) {
    if (!proof.recognised) return { outcome: 'exposed', text: replacesHost(publicUrl) };
    return tryLocalNames(options);
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

const replacesHost = (publicUrl: string) =>
  `The tunnel at ${publicUrl} replaces the Host header, so that requests of the internet look like those of this machine ` +
  'and the whole API would be public. Start it again without the option that does so (--host-header, --http-host-header), ' +
  'or let the web server in front of it pass the header on. docs/live.md shows how.';

const passesAnyHost = (publicUrl: string, name: string) =>
  `The tunnel at ${publicUrl} passes on requests for any name: with "Host: ${name}", a request of the internet looks like ` +
  'one of this machine, and the whole API would be public. Let the tunnel, or the web server in front of it, add the ' +
  `header X-Forwarded-For, or pass on only requests for ${new URL(publicUrl).hostname}. docs/live.md shows how.`;

/**
 * Tries the names of this machine, under which the internet could use the whole API. A web server that does not pass
 * them on responds by itself, or closes the connection.
 */
async function tryLocalNames(options: ReachOptions): Promise<Reach> {
  const { publicUrl, hosts = [] } = options;
  const names = [...localHosts, ...hosts];
  const responses = await Promise.all(
    names.map((name) => ask(options, name).catch((error: Error) => (error.name === 'AbortError' ? 'late' : undefined))),
  );
  const accepted = names.find((_, index) => proofOf(responses[index])?.recognised === false);
  if (accepted !== undefined) return { outcome: 'exposed', text: passesAnyHost(publicUrl, accepted) };
  const late = names.find((_, index) => responses[index] === 'late');
  if (late === undefined) return { outcome: 'reached' };
  return {
    outcome: 'unreached',
    text: `${publicUrl} does not respond to requests with "Host: ${late}", so it is not known whether it passes them on.`,
  };
}

const proofOf = (response: ProofResponse | 'late' | undefined) =>
  typeof response === 'object' ? response.proof : undefined;

interface ProofResponse {
  readonly status: number;
  readonly proof: Proof | undefined;
}

/** @param host the name in the request, in place of that of the address, to which the connection leads all the same */
async function ask({ publicUrl, proofPath }: ReachOptions, host?: string): Promise<ProofResponse> {
  const url = new URL(publicUrl + proofPath);
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const { promise, resolve, reject } = Promise.withResolvers<ProofResponse>();
  (url.protocol === 'https:' ? requestHttps : requestHttp)(
    url,
    {
      // An idle connection could be closed in the moment in which it is used again, and then there is no response.
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
      servername: isIP(hostname) ? '' : hostname,
      ...(host !== undefined && { headers: { host } }),
    },
    (response) => {
      const { statusCode: status = 0 } = response;
      text(response)
        .catch(() => '')
        .then((body) => resolve({ status, proof: status === 200 ? proofIn(body) : undefined }));
    },
  )
    .on('error', reject)
    .end();
  return promise;
}

const proofIn = (body: string): Proof | undefined => z.safeParse(proofSchema, parseJson(body)).data;

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
  if (error.name === 'AbortError') return `no response within ${timeoutMs / 1000} s`;
  return String(Reflect.get(error, 'code') ?? error.message);
}
