import { requiredEnv } from '../../shared/env.ts';
import { type DynamicFlow, type ExchangeContext, isDynamic } from '../../shared/flow-endpoint/exchange.ts';
import type { ExchangeRecord } from '../../shared/flow-endpoint/exchange-record.ts';
import { relay } from '../../shared/flow-endpoint/relay.ts';
import { exchangeContext } from '../../shared/flow-endpoint/runtime.ts';
import { endpointTexts } from '../../shared/flow-endpoint/texts.ts';
import { isLive } from '../../shared/flows/flow.ts';
import { flowTexts } from '../../shared/flows/texts.ts';
import { createHandler, type WrapperDependencies } from '../../shared/http/create-handler.ts';
import { noAccess } from '../../shared/http/no-access.ts';
import { parseUuid } from '../../shared/ids.ts';
import { describeError, log } from '../../shared/logger.ts';
import { isHubSigned } from '../../shared/notifications/hub-signature.ts';
import { ServiceError } from '../../shared/service-error.ts';
import { type ExchangeStore, exchangeStore } from '../../shared/storage/exchanges.ts';
import { type FlowStore, flowStore } from '../../shared/storage/flows.ts';
import { openTable } from '../../shared/storage/table.ts';
import { appSecrets, type Credentials, credentialsReader } from '../../shared/upstream/credentials.ts';
import { contract } from './contract.ts';

interface Dependencies extends WrapperDependencies {
  credentials: () => Promise<Credentials>;
  findFlow: FlowStore['find'];
  exchanges: Pick<ExchangeStore, 'add'>;
  context: ExchangeContext;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ header, rawBody, params }) => {
    const body = rawBody();
    const signature = header('x-hub-signature-256');
    const secrets = appSecrets(await dependencies.credentials());
    if (!isHubSigned({ header: signature, body, appSecrets: secrets })) return { status: 432 } as const;

    const flow = await servedFlow(params.flow, dependencies);
    const headers = {
      'content-type': header('content-type') ?? 'application/json',
      ...(signature !== undefined && { 'x-hub-signature-256': signature }),
    };
    const { answer, record } = await relay(flow, { body, headers }, dependencies.context);
    await keep(record, flow, dependencies);
    return answer;
  });

export const handler = makeHandler(runtime());

function runtime(): Dependencies {
  const now = Date.now;
  const table = openTable(requiredEnv('TABLE_NAME'));
  return {
    access: noAccess,
    now,
    credentials: credentialsReader(requiredEnv('UPSTREAM_SECRET_ID'), now),
    findFlow: flowStore(table).find,
    exchanges: exchangeStore(table),
    context: exchangeContext(table, now),
  };
}

/** The Flow, if it has an endpoint to serve; a draft has one too, for the upstream tries it before it publishes. */
async function servedFlow(text: string | undefined, { findFlow }: Dependencies): Promise<DynamicFlow> {
  const id = parseUuid(text);
  const flow = id === undefined ? undefined : await findFlow(id);
  if (!flow || !isLive(flow)) throw new ServiceError('not-found', flowTexts.notFound);
  if (flow.status === 'DEPRECATED') throw new ServiceError('gone', endpointTexts.deprecated);
  if (flow.status === 'BLOCKED') throw new ServiceError('forbidden', endpointTexts.blocked);
  if (!isDynamic(flow)) throw new ServiceError('refused', endpointTexts.none);
  return flow;
}

/** The event's name in the log. What a customer's endpoint does is answered with a 5xx and yet no fault of the service. */
const failureEvent = (fault: ExchangeRecord['fault']) =>
  fault === 'undecryptable' ? 'exchange.undecryptable' : 'endpoint.failed';

/** Notes the exchange for the Flow's owner; that it was made counts more than that it is noted. */
async function keep(record: ExchangeRecord, { id }: DynamicFlow, { exchanges }: Dependencies): Promise<void> {
  const { outcome, fault, status, duration_ms } = record;
  if (outcome === 'failed') log('warn', failureEvent(fault), { flow: id, fault, status, duration_ms });
  await exchanges.add(id, record).catch((error) => log('error', 'exchange.not-noted', describeError(error)));
}
