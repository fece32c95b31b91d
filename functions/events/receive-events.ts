import { type SignatureContext, upstreamSignature } from '#shared/accounts/event-signature.ts';
import { parseExactJson, parseJson } from '#shared/base/json.ts';
import { ServiceError } from '#shared/base/service-error.ts';
import { parseBody } from '#shared/http/request.ts';
import { splitEvents } from '#shared/ingestion/events.ts';
import { accountsNamed, type IngestionContext, ingest } from '#shared/ingestion/ingest.ts';
import { signatures } from '#shared/operations/compose.ts';
import { createHandler, ok, type PublicDependencies } from '#shared/operations/create-handler.ts';
import { servePublic } from '#shared/operations/serve.ts';
import { hubSignatureHeader } from '#shared/webhooks/webhook-signature.ts';
import { ingestion } from './compose.ts';
import { receiveEvents as contract } from './contracts.ts';

interface Dependencies extends PublicDependencies {
  signatures: SignatureContext;
  ingestion: Omit<IngestionContext, 'isFor'>;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ header, rawBody }) => {
    const body = rawBody();
    const { isKnown, isFor } = upstreamSignature({ header: header(hubSignatureHeader), body }, dependencies.signatures);
    if (!(await isKnown(() => accountsNamed(parseJson(body))))) {
      throw new ServiceError('events.not-signed');
    }
    const events = parseBody(body.toString('utf8'), parseAnyDepth);
    await ingest(splitEvents(events, dependencies.now()), { ...dependencies.ingestion, isFor });
    return ok({ success: true });
  });

export const start = servePublic(contract, makeHandler, { signatures, ingestion });

/** Keeps the digits of numbers, unless nesting is thousands of levels deep: only the plain parser can read that. */
function parseAnyDepth(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    if (error instanceof RangeError) return JSON.parse(text);
    throw error;
  }
}
