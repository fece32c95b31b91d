import { document } from '#functions/api/documentation/api-document.ts';
import { baseUrl } from '#shared/operations/compose.ts';
import { createHandler, ok, type PublicDependencies } from '#shared/operations/create-handler.ts';
import { servePublic } from '#shared/operations/serve.ts';
import { getOpenapi as contract } from './contracts.ts';

interface Dependencies extends PublicDependencies {
  baseUrl: string;
}

export const makeHandler = ({ baseUrl, ...dependencies }: Dependencies) =>
  createHandler(contract, dependencies, async () => ok({ ...document, openapi: '3.1.0', servers: [{ url: baseUrl }] }));

export const start = servePublic(contract, makeHandler, { baseUrl });
