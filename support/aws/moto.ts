import { setTimeout as delay } from 'node:timers/promises';
import { accountId } from '#local/aws/base/account.ts';
import { freePort } from '#local/aws/base/http/free-port.ts';
import type { LoopbackServer } from '#local/aws/base/http/loopback.ts';
import { startEngineProcess } from '#local/aws/dynamodb/engine.ts';

/** Starts a server of moto, which imitates AWS. It takes every signature, and forgets everything when it ends. */
export async function startMoto(program: string): Promise<LoopbackServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const stopped = new AbortController();
  const server = await startEngineProcess({
    program: 'env',
    arguments: [`MOTO_ACCOUNT_ID=${accountId}`, program, '-H', '127.0.0.1', '-p', String(port)],
    async isReady() {
      while (!stopped.signal.aborted) {
        const response = await fetch(`${url}/moto-api/`).catch(() => undefined);
        if (response?.ok) return true;
        await delay(50);
      }
      return false;
    },
  });
  stopped.abort();
  if (!server) throw new Error(`${program} does not start`);
  return { url, close: server.close };
}
