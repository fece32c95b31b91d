import { createHash, timingSafeEqual } from 'node:crypto';
import { type CredentialsReader, credentialsReader, passesWith } from '#shared/adapters/secrets-manager/credentials.ts';
import { ServiceError } from '#shared/domain/errors/service-error.ts';
import { ok } from '#shared/http/answers.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/create-handler.ts';
import { noAccess } from '#shared/http/no-access.ts';
import { requiredEnv } from '#shared/runtime/env.ts';
import { contract } from './contract.ts';

interface Dependencies extends WrapperDependencies {
  credentials: CredentialsReader;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ query }) => {
    const given = query['hub.verify_token'] ?? '';
    const isKnown = await passesWith(
      dependencies.credentials,
      ({ verify_token: expected = '' }) => expected !== '' && isSame(given, expected),
    );
    if (query['hub.mode'] !== 'subscribe' || !isKnown) {
      throw new ServiceError('events.wrong-verify-token');
    }
    return ok(query['hub.challenge'] ?? '');
  });

export const handler = makeHandler({
  access: noAccess,
  now: Date.now,
  credentials: credentialsReader(requiredEnv('UPSTREAM_SECRET_ID'), Date.now),
});

/** Compares in constant time, whatever the lengths. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
