import * as z from 'zod/mini';
import { describeMembers } from '#shared/http/members.ts';
import { defineContract } from '#shared/operations/contract.ts';

export const getOpenapi = /* @__PURE__ */ defineContract(() => {
  const body = z.looseObject({ openapi: z.string() });
  /* @__PURE__ */ describeMembers(body, () => ({ openapi: 'The version of OpenAPI.' }));

  return {
    name: 'get-openapi',
    method: 'GET',
    path: '/v2/openapi.json',
    summary: 'Read this description of the API',
    tag: 'Description',
    caller: 'public',
    responses: { 200: { description: 'The OpenAPI 3.1 document', body } },
    uses: {},
  };
});
