import { type CredentialsReader, isVerifyToken } from '#shared/domain/access/upstream-credentials.ts';
import { hashToken } from '#shared/domain/accounts/token.ts';
import type { VerifyTokenStore } from '#shared/domain/accounts/verify-token-store.ts';
import { ServiceError } from '#shared/domain/errors/service-error.ts';
import { createHandler, type PublicDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { credentials, verifyTokens } from '#shared/runtime/providers/credentials.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

interface Dependencies extends PublicDependencies {
  credentials: CredentialsReader;
  verifyTokens: Pick<VerifyTokenStore, 'find'>;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ query }) => {
    const { 'hub.mode': mode, 'hub.verify_token': token = '' } = query;
    if (mode !== 'subscribe' || !(await isKnown(token, dependencies))) {
      throw new ServiceError('events.wrong-verify-token');
    }
    return ok(query['hub.challenge'] ?? '');
  });

export const handler = serve(contract, makeHandler, { credentials, verifyTokens });

/** Whether it is the verify token of a workspace or of the deployment. */
async function isKnown(token: string, { credentials, verifyTokens }: Dependencies): Promise<boolean> {
  if (token === '') return false;
  return (await verifyTokens.find(hashToken(token))) !== undefined || isVerifyToken(credentials, token);
}
