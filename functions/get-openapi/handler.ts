import { ok } from '#shared/http/answers.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/create-handler.ts';
import { noAccess } from '#shared/http/no-access.ts';
import { requiredEnv } from '#shared/runtime/env.ts';
import { operations } from '../operations.ts';
import { contract } from './contract.ts';
import { apiDocument } from './document.ts';

interface Dependencies extends Pick<WrapperDependencies, 'now'> {
  baseUrl: string;
}

export const makeHandler = ({ baseUrl, now }: Dependencies) => {
  const document = apiDocument(operations, baseUrl);
  return createHandler(contract, { access: noAccess, now }, async () => ok({ openapi: '3.1.0', ...document }));
};

export const handler = makeHandler({ baseUrl: requiredEnv('BASE_URL'), now: Date.now });
