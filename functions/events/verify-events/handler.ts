import { type CredentialsReader, isVerifyToken } from '#shared/domain/access/upstream-credentials.ts';
import { ServiceError } from '#shared/domain/errors/service-error.ts';
import { createHandler, type PublicDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { credentials } from '#shared/runtime/providers/credentials.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

interface Dependencies extends PublicDependencies {
  credentials: CredentialsReader;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ query }) => {
    const isKnown = await isVerifyToken(dependencies.credentials, query['hub.verify_token'] ?? '');
    if (query['hub.mode'] !== 'subscribe' || !isKnown) {
      throw new ServiceError('events.wrong-verify-token');
    }
    return ok(query['hub.challenge'] ?? '');
  });

export const handler = serve(contract, makeHandler, { credentials });
