import { parseUuid } from '#shared/base/ids.ts';
import { log } from '#shared/base/logger.ts';
import { ownVia } from '#shared/base/mark.ts';
import { type CredentialsReader, isFromUpstream } from '#shared/domain/access/upstream-credentials.ts';
import { ServiceError } from '#shared/domain/errors/service-error.ts';
import { exchangeDeadlines, OutOfTimeError, within } from '#shared/domain/flow-endpoint/deadline.ts';
import { type DynamicFlow, isDynamic } from '#shared/domain/flow-endpoint/exchange.ts';
import type { ExchangeRecord } from '#shared/domain/flow-endpoint/exchange-record.ts';
import { type NoteContext, noteExchange } from '#shared/domain/flow-endpoint/note-exchange.ts';
import { type EndpointRequest, type RelayContext, type Relayed, relay } from '#shared/domain/flow-endpoint/relay.ts';
import { isLive } from '#shared/domain/flows/flow.ts';
import type { FlowStore } from '#shared/domain/flows/flow-store.ts';
import { hubSignatureHeader } from '#shared/domain/signing/hub-signature.ts';
import { createHandler, type PublicDependencies } from '#shared/http/wrapper/create-handler.ts';
import { credentials } from '#shared/runtime/providers/credentials.ts';
import { exchanges } from '#shared/runtime/providers/exchanges.ts';
import { findFlow } from '#shared/runtime/providers/find-flow.ts';
import { relayContext } from '#shared/runtime/providers/relay-context.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

interface Dependencies extends PublicDependencies, NoteContext {
  credentials: CredentialsReader;
  findFlow: FlowStore['find'];
  context: RelayContext;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ header, rawBody, params, receivedAt }) => {
    const { now } = dependencies;
    const { endpointBy, relayBy, answerBy } = exchangeDeadlines(receivedAt, now());
    const headers = forwarded(header);
    const exchanging = exchange(params.flow, { body: rawBody(), headers, endpointBy }, dependencies);
    try {
      const exchanged = await within(relayBy - now(), exchanging);
      if (!exchanged) return { status: 432, body: '' } as const;
      const { flow, record, answer } = exchanged;
      if (record.outcome === 'failed') warn(flow, record);
      await noteExchange(flow.id, record, answerBy, dependencies);
      return answer;
    } catch (error) {
      if (!(error instanceof OutOfTimeError)) throw error;
      log('error', 'exchange.out-of-time', { flow: parseUuid(params.flow) });
      return { status: 504 } as const;
    }
  });

export const handler = serve(contract, makeHandler, { credentials, findFlow, exchanges, context: relayContext });

/**
 * The headers to forward with an encrypted envelope. They include the marks, so that two deployments cannot relay a
 * request in a loop.
 */
function forwarded(header: (name: string) => string | undefined): Record<string, string> {
  const given = [hubSignatureHeader, ownVia].flatMap((name) => {
    const value = header(name);
    return value === undefined ? [] : [[name, value]];
  });
  return { 'content-type': header('content-type') ?? 'application/json', ...Object.fromEntries(given) };
}

/** Exchanges data with the Flow's endpoint. Returns `undefined` if the request did not come from the upstream. */
async function exchange(
  id: string | undefined,
  request: EndpointRequest,
  dependencies: Dependencies,
): Promise<(Relayed & { flow: DynamicFlow }) | undefined> {
  const { body, headers } = request;
  if (!(await isFromUpstream(dependencies.credentials, { header: headers[hubSignatureHeader], body })))
    return undefined;
  const flow = await servedFlow(id, dependencies);
  return { flow, ...(await relay(flow, request, dependencies.context)) };
}

/** Finds the Flow if its endpoint can be served. Drafts count: the upstream tests theirs before publishing. */
async function servedFlow(text: string | undefined, { findFlow }: Dependencies): Promise<DynamicFlow> {
  const id = parseUuid(text);
  const flow = id === undefined ? undefined : await findFlow(id);
  if (!flow || !isLive(flow)) throw new ServiceError('flow.not-found');
  if (flow.status === 'DEPRECATED') throw new ServiceError('flow-endpoint.deprecated');
  if (flow.status === 'BLOCKED') throw new ServiceError('flow-endpoint.blocked');
  if (!isDynamic(flow)) throw new ServiceError('flow-endpoint.none');
  return flow;
}

/**
 * Logs a warning only: although the response is a 5xx, a failure of the customer's endpoint is not a fault of the
 * service.
 */
function warn({ id }: DynamicFlow, { fault, status, duration_ms }: ExchangeRecord): void {
  const event = fault === 'undecryptable' ? 'exchange.undecryptable' : 'endpoint.failed';
  log('warn', event, { flow: id, fault, status, duration_ms });
}
