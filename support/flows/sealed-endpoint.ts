import { startHttpServer } from '../http/http-server.ts';
import { createEndpointOwner } from './flow-phone.ts';

/** A customer's endpoint that holds the private key itself. It reads every request and responds as the test says. */
export async function startSealedEndpoint(answer: (request: { action: string }) => unknown) {
  const owner = await createEndpointOwner();
  const opened: unknown[] = [];
  const sent: string[] = [];
  const server = await startHttpServer(async (_, response) => {
    try {
      const { request, seal } = await owner.open(Buffer.from(server.requests.at(-1)?.body ?? ''));
      opened.push(request);
      const sealed = await seal(answer(request));
      sent.push(sealed);
      response.end(sealed);
    } catch {
      response.writeHead(421).end();
    }
  });
  return {
    ...server,
    publicKey: owner.publicKey,
    /** The decrypted requests. */
    opened,
    /** The encrypted responses. */
    sent,
  };
}

export type SealedEndpoint = Awaited<ReturnType<typeof startSealedEndpoint>>;
