import { exchangeStore } from '#shared/adapters/dynamodb/exchanges.ts';
import { flowStore } from '#shared/adapters/dynamodb/flows.ts';
import { numberStore } from '#shared/adapters/dynamodb/numbers.ts';
import { previewStore } from '#shared/adapters/dynamodb/previews.ts';
import { openTable } from '#shared/adapters/dynamodb/table.ts';
import { upstreamEncryption } from '#shared/adapters/graph/encryption.ts';
import { graphClient } from '#shared/adapters/graph/graph-client.ts';
import { accessTokenFrom, appSecrets, credentialsReader } from '#shared/adapters/secrets-manager/credentials.ts';
import { ServiceError } from '#shared/domain/errors/service-error.ts';
import { isDynamic } from '#shared/domain/flow-endpoint/exchange.ts';
import { type NoteContext, noteExchange } from '#shared/domain/flow-endpoint/note-exchange.ts';
import { exchangeAsPhone, type PhoneContext } from '#shared/domain/previews/exchange.ts';
import { findPreview, isUnlocked, type PreviewContext } from '#shared/domain/previews/open-preview.ts';
import { ok } from '#shared/http/answers.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/create-handler.ts';
import { render } from '#shared/http/language/language.ts';
import { noAccess } from '#shared/http/no-access.ts';
import { presentPhoneExchange } from '#shared/http/previews/page-response.ts';
import { sessionCookieName } from '#shared/http/previews/session-cookie.ts';
import { previewTexts } from '#shared/http/previews/texts.ts';
import { requiredEnv } from '#shared/runtime/env.ts';
import { exchangeContext } from '#shared/runtime/flow-endpoint.ts';
import { graphSettings } from '#shared/runtime/graph.ts';
import { contract } from './contract.ts';

interface Dependencies extends WrapperDependencies, PreviewContext, NoteContext {
  baseUrl: string;
  phone: PhoneContext;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ params, cookie, body, language }) => {
    const { baseUrl, phone } = dependencies;
    const found = await findPreview(dependencies, params.preview);
    if (!found || !isUnlocked(found.preview, cookie(sessionCookieName(found.preview.id, baseUrl)))) {
      throw new ServiceError('preview.not-found');
    }
    const { preview, flow } = found;
    if (!isDynamic(flow)) return ok({ fault: render(previewTexts.noEndpoint, language) });
    const exchange = await exchangeAsPhone(flow, preview, body, phone);
    if (exchange !== 'no-public-key') {
      await noteExchange(flow.id, exchange.record, dependencies.now() + notingMs, dependencies);
    }
    return ok(presentPhoneExchange(exchange, language));
  });

export const handler = makeHandler(runtime());

/** With the exchange itself, less than the gateway waits. */
const keyBudgetMs = 8_000;

/** A person waits for the answer, not for its being noted. */
const notingMs = 1_000;

function runtime(): Dependencies {
  const now = Date.now;
  const table = openTable(requiredEnv('TABLE_NAME'));
  const numbers = numberStore(table);
  const credentials = credentialsReader(requiredEnv('UPSTREAM_SECRET_ID'), now);
  const graph = graphSettings();
  return {
    access: noAccess,
    now,
    baseUrl: requiredEnv('BASE_URL'),
    flows: flowStore(table),
    previews: previewStore(table),
    exchanges: exchangeStore(table),
    phone: {
      exchange: exchangeContext(table, now),
      appSecret: async () => appSecrets(await credentials())[0],
      async publicKey(preview) {
        const number = await numbers.get(preview.number);
        if (!number?.active) return undefined;
        const call = graphClient(graph, accessTokenFrom(credentials), now() + keyBudgetMs, now);
        const registered = await upstreamEncryption(call).registeredKey(number.phone_number_id);
        return typeof registered === 'string' ? undefined : registered.publicKey;
      },
    },
  };
}
