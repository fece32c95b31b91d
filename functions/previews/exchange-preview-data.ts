import { exchanges, flows } from '#functions/flows/compose.ts';
import { ServiceError } from '#shared/base/service-error.ts';
import { isDynamic, type NoteContext, noteExchange } from '#shared/flow-endpoint/make-exchange.ts';
import { render } from '#shared/http/language.ts';
import { publicUrl } from '#shared/operations/compose.ts';
import { createHandler, ok, type PublicDependencies } from '#shared/operations/create-handler.ts';
import { servePublic } from '#shared/operations/serve.ts';
import { exchangeAsPhone, type PhoneContext, pageResponse } from '#shared/previews/exchange-as-phone.ts';
import { isUnlocked, sessionCookieName } from '#shared/previews/preview-access.ts';
import { findPreview, type PreviewContext } from '#shared/previews/previews.ts';
import { previewTexts } from '#shared/previews/texts.ts';
import { phone, previews } from './compose.ts';
import { exchangePreviewData as contract } from './contracts.ts';

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
    if (exchange) await noteExchange(flow.id, exchange.record, dependencies.now() + notingMs, dependencies);
    return ok(pageResponse(exchange, language));
  });

export const start = servePublic(contract, makeHandler, { baseUrl: publicUrl, flows, previews, exchanges, phone });

/** Limits storing the exchange, because a person waits for the response, which is sent only afterwards. */
const notingMs = 1_000;
