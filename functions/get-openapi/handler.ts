import { createHandler, type PublicDependencies } from '#shared/http/wrapper/create-handler.ts';
import { ok } from '#shared/http/wrapper/responses.ts';
import { baseUrl } from '#shared/runtime/providers/base-url.ts';
import { serve } from '#shared/runtime/serve.ts';
import { operations } from '../operations.ts';
import { contract } from './contract.ts';
import { apiDocument } from './document.ts';

interface Dependencies extends PublicDependencies {
  baseUrl: string;
}

export const makeHandler = ({ baseUrl, ...dependencies }: Dependencies) => {
  const document = apiDocument(operations, baseUrl);
  return createHandler(contract, dependencies, async () => ok({ openapi: '3.1.0', ...document }));
};

export const handler = serve(contract, makeHandler, { baseUrl });
