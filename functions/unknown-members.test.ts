import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { isObject } from '#shared/base/json.ts';
import { ServiceError } from '#shared/base/service-error.ts';
import { type Contract, needsToken } from '#shared/operations/contract.ts';
import { inputValidation } from '#shared/operations/middleware.ts';
import { httpEvent } from '#support/aws/http-event.ts';
import { schemaValidator } from '#support/http/schema-validator.ts';
import { apiDocument } from './api/documentation/build-document.ts';
import { operations } from './operations.ts';

const document = apiDocument(operations, 'https://api.example.com');
const validate = schemaValidator(document);

const requestOf = ({ method, path }: Contract) => document.paths[path]?.[method.toLowerCase()]?.requestBody?.content;

/** A valid body of an operation. */
const exampleBody = (contract: Contract) =>
  requestOf(contract)?.['application/json']?.example as Record<string, unknown> | undefined;

/** What an operation gets of a request, or the fields for which the request is rejected. */
async function take(contract: Contract, { body, query = {} }: { body?: unknown; query?: Record<string, string> }) {
  const context = { input: {} as { body?: unknown } };
  const { before } = inputValidation(contract);
  try {
    await before?.({ event: httpEvent({ body, query }), context } as never);
    return { body: context.input.body };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { errors: error.fields };
  }
}

/** The value, each time with one more member in one of its objects, and where that is. */
function withForeignMember(value: unknown, path: string[] = []): { path: string; body: unknown }[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      withForeignMember(item, [...path, String(index)]).map(({ path, body }) => ({
        path,
        body: value.with(index, body),
      })),
    );
  }
  if (!isObject(value)) return [];
  const within = Object.entries(value).flatMap(([name, member]) =>
    withForeignMember(member, [...path, name]).map(({ path, body }) => ({ path, body: { ...value, [name]: body } })),
  );
  return [{ path: [...path, 'entirelyUnheardOf'].join('.'), body: { ...value, entirelyUnheardOf: 1 } }, ...within];
}

const withBody = operations.filter(({ body }) => body !== undefined);

const isStrict = ({ body }: Contract) => body instanceof z.ZodMiniObject && body.def.catchall instanceof z.ZodMiniNever;

describe('a member of a body that does not exist', () => {
  it('is accepted only in bodies that go to the messaging platform', () => {
    for (const { name, uses, caller } of withBody.filter((contract) => !isStrict(contract)))
      expect([name, uses.upstream, caller]).toEqual([name, 'call', expect.stringContaining('number-')]);
  });

  it.each(withBody)('is rejected or kept by $name at every depth as the API description says', async (contract) => {
    const pointer = ['paths', contract.path, contract.method.toLowerCase(), 'requestBody', 'content'];
    for (const { path, body } of withForeignMember(exampleBody(contract))) {
      const { errors = [], body: taken } = await take(contract, { body });
      const isDeclared = validate([...pointer, 'application/json', 'schema'], body) === undefined;
      expect(
        errors.map(({ field }) => field),
        path,
      ).toEqual(isDeclared ? [] : [path]);
      if (isDeclared) expect(JSON.stringify(taken), path).toContain('entirelyUnheardOf');
    }
  });
});

describe('a query parameter that does not exist', () => {
  it.each(operations.filter(needsToken))('is rejected by $name with the names of those that do', async (contract) => {
    const names = Object.keys(contract.query?.shape ?? {}).join(', ');
    const rule = names === '' ? 'unknown_parameter' : 'unknown_parameter_among';
    for (const name of ['page', 'utm_source', 'LIMIT', '__proto__', '']) {
      const query = JSON.parse(`{"${name}":"2"}`);
      const { errors } = await take(contract, { query, body: exampleBody(contract) });
      expect(errors, name).toContainEqual({ field: name, rule, values: { name, existing: names } });
    }
  });

  it.each(operations.filter((contract) => !needsToken(contract)))('is ignored by $name', async (contract) => {
    const query = { fbclid: 'x', '': '', 'hub.mod': 'subscribe' };
    expect(await take(contract, { query, body: exampleBody(contract) })).not.toHaveProperty('errors');
  });
});
