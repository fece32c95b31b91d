import type { CredentialsReader, VerifyTokenStore } from '#shared/accounts/credentials-store.ts';
import { isVerifyToken } from '#shared/accounts/event-signature.ts';
import { hashToken } from '#shared/accounts/token.ts';
import { ServiceError } from '#shared/base/service-error.ts';
import { createHandler, ok, type PublicDependencies } from '#shared/operations/create-handler.ts';
import { servePublic } from '#shared/operations/serve.ts';
import { credentials, verifyTokens } from './compose.ts';
import { verifyEvents as contract } from './contracts.ts';

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

export const start = servePublic(contract, makeHandler, { credentials, verifyTokens });

/** Whether it is the verify token of a workspace or of the deployment. */
async function isKnown(token: string, { credentials, verifyTokens }: Dependencies): Promise<boolean> {
  if (token === '') return false;
  return (await verifyTokens.find(hashToken(token))) !== undefined || isVerifyToken(credentials, token);
}
