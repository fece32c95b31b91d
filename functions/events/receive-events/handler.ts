import { parseExactJson } from '#shared/base/json/exact-json.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';
import { type SignatureContext, upstreamSignature } from '#shared/domain/access/upstream-signature.ts';
import { ServiceError } from '#shared/domain/errors/service-error.ts';
import { accountsNamed, splitEvents } from '#shared/domain/ingestion/events.ts';
import { type IngestionContext, ingest } from '#shared/domain/ingestion/ingest.ts';
import { hubSignatureHeader } from '#shared/domain/signing/hub-signature.ts';
import { createHandler, type PublicDependencies } from '#shared/http/wrapper/create-handler.ts';
import { parseBody } from '#shared/http/wrapper/json-body.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { signatures } from '#shared/runtime/providers/credentials.ts';
import { ingestion } from '#shared/runtime/providers/ingestion.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

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

export const handler = serve(contract, makeHandler, { signatures, ingestion });

/** Keeps the digits of numbers, unless nesting is thousands of levels deep: only the plain parser can read that. */
function parseAnyDepth(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    if (error instanceof RangeError) return JSON.parse(text);
    throw error;
  }
}
