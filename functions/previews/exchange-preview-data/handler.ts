import { ServiceError } from '#shared/domain/errors/service-error.ts';
import { isDynamic } from '#shared/domain/flow-endpoint/make-exchange.ts';
import { type NoteContext, noteExchange } from '#shared/domain/flow-endpoint/note-exchange.ts';
import { exchangeAsPhone, type PhoneContext } from '#shared/domain/previews/exchange-as-phone.ts';
import { findPreview, isUnlocked, type PreviewContext } from '#shared/domain/previews/open-preview.ts';
import { render } from '#shared/http/language/language.ts';
import { pageResponse } from '#shared/http/previews/page-response.ts';
import { sessionCookieName } from '#shared/http/previews/session-cookie.ts';
import { previewTexts } from '#shared/http/previews/texts.ts';
import { createHandler, type PublicDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { publicUrl } from '#shared/runtime/providers/environment.ts';
import { phone } from '#shared/runtime/providers/exchange-context.ts';
import { exchanges, flows, previews } from '#shared/runtime/providers/stores.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

interface Dependencies extends PublicDependencies, PreviewContext, NoteContext {
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
    return ok(pageResponse(exchange, language));
  });

export const handler = serve(contract, makeHandler, { baseUrl: publicUrl, flows, previews, exchanges, phone });

/** Limits storing the exchange, because a person waits for the response, which is sent only afterwards. */
const notingMs = 1_000;
