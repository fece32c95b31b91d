import { describe, expect, it } from 'vitest';
import { isObject } from '#shared/base/json/json-object.ts';
import { ServiceError } from '#shared/domain/errors/service-error.ts';
import type { Contract } from '#shared/http/contract/contract.ts';
import { createHandler } from '#shared/http/wrapper/create-handler.ts';
import { send } from '#support/aws/http-event.ts';
import { mark } from '#support/deployment.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { now } from '#support/fakes/fake-flow-context.ts';
import { apiDocument } from './api/get-openapi/document.ts';
import { operations } from './operations.ts';

captureLog();

const document = apiDocument(operations, 'https://api.example.com');

/** A valid body of an operation. */
function exampleBody({ method, path }: Contract): Record<string, unknown> {
  const content = document.paths[path]?.[method.toLowerCase()]?.requestBody?.content;
  return content?.['application/json']?.example as Record<string, unknown>;
}

/** A body of the response with this status, if it is JSON. */
function exampleResponse({ method, path }: Contract, status: number): unknown {
  const { content } = document.paths[path]?.[method.toLowerCase()]?.responses[status] ?? {};
  return content?.['application/json']?.example;
}

/** The status of a request that an operation takes. */
const taken = 409;

/** Sends a request to an operation that anybody may call, and that only takes its input. */
function request(
  { idempotency: _, ...contract }: Contract,
  input: { body?: unknown; query?: Record<string, string> },
  onBody: (body: unknown) => void = () => {},
) {
  const operation = async ({ body }: { body?: unknown }) => {
    onBody(body);
    throw new ServiceError('flow.busy');
  };
  return send(createHandler({ ...contract, caller: 'public' }, { now: () => now, mark }, operation), input);
}

/** What an operation gets of a body with a member that does not exist. */
async function takenBody(contract: Contract): Promise<unknown> {
  const bodies: unknown[] = [];
  const input = { body: { ...exampleBody(contract), entirelyUnheardOf: 1 } };
  expect((await request(contract, input, (body) => bodies.push(body))).status).toBe(taken);
  return bodies[0];
}

/** Whether an unknown member of an operation's body is an error: it is neither left out on purpose nor passed on. */
const isClosed = ({ body, formOfBody, ignoresUnknownMembers }: Contract) =>
  body !== undefined &&
  !ignoresUnknownMembers &&
  formOfBody === undefined &&
  !('catchall' in body.def && body.def.catchall);

/** The members of an operation's body. */
const namesIn = ({ body }: Contract): string[] => (body && 'shape' in body ? Object.keys(body.shape) : []);

const withBody = operations.filter(({ body }) => body !== undefined);
const withQuery = operations.filter(({ query }) => query !== undefined);

describe('a member that does not exist', () => {
  it('is accepted only in bodies that go to the messaging platform', () => {
    for (const { name, uses, caller } of withBody.filter((contract) => !isClosed(contract)))
      expect([name, uses.upstream, caller]).toEqual([name, 'call', expect.stringContaining('number-')]);
  });

  it.each(withBody.filter(isClosed))('is rejected by $name, which lists those that exist', async (contract) => {
    const body = { ...exampleBody(contract), entirelyUnheardOf: 1 };
    const { status, headers, json } = await request(contract, { body });
    expect(status).toBe(422);
    expect(headers).toMatchObject({ 'x-error-code': 'validation_failed' });
    const existing = namesIn(contract).join(', ');
    const text = `The field "entirelyUnheardOf" does not exist. Fields that exist: ${existing}.`;
    expect(json).toEqual({ message: text, errors: { entirelyUnheardOf: [text] } });
  });

  it.each(withBody.filter(isClosed))('is rejected by $name with the member that it resembles', async (contract) => {
    for (const member of namesIn(contract)) {
      const misspelt = `${member.toUpperCase()}s`;
      const { status, json } = await request(contract, { body: { ...exampleBody(contract), [misspelt]: null } });
      expect(status).toBe(422);
      expect(json.errors[misspelt]).toEqual([`The field "${misspelt}" does not exist. Did you mean "${member}"?`]);
    }
  });

  it.each(withBody.filter(({ ignoresUnknownMembers }) => ignoresUnknownMembers))(
    'is left out by $name, without an error',
    async (contract) => {
      expect(await takenBody(contract)).not.toHaveProperty('entirelyUnheardOf');
    },
  );

  it.each(withBody.filter((contract) => !isClosed(contract) && !contract.ignoresUnknownMembers))(
    'is passed on by $name',
    async (contract) => {
      expect(await takenBody(contract)).toHaveProperty('entirelyUnheardOf');
    },
  );
});

describe('what a client has read', () => {
  const replacements = operations.filter(({ method, body }) => method === 'PUT' && body !== undefined);

  /** The bodies of responses, of this operation and those around it, that have something of the request's body. */
  function readings(contract: Contract): Record<string, unknown>[] {
    const names = namesIn(contract);
    return operations
      .filter(
        ({ tag, path }) => tag === contract.tag && (path.startsWith(contract.path) || contract.path.startsWith(path)),
      )
      .flatMap((operation) => Object.keys(operation.responses).map((status) => exampleResponse(operation, +status)))
      .filter(isObject)
      .filter((body) => names.some((name) => Object.hasOwn(body, name)));
  }

  it.each(replacements)('can be sent back to $name', async (contract) => {
    const bodies = readings(contract);
    expect(bodies).not.toEqual([]);
    for (const { headers, ...body } of bodies) {
      expect((await request(contract, { body })).status, JSON.stringify(body)).toBe(taken);
      if (headers === undefined) continue;
      const { json } = await request(contract, { body: { ...body, headers } });
      expect(json.errors).toEqual({ headers: [expect.stringContaining('an object of names and values')] });
    }
  });

  it.each(operations.filter(({ name }) => name === 'create-flow'))('can be sent to $name', async (contract) => {
    for (const body of readings(contract)) expect((await request(contract, { body })).status).toBe(taken);
  });
});

describe('a query parameter that does not exist', () => {
  it.each(withQuery)('is rejected by $name if it misspells one that does', async (contract) => {
    for (const parameter of Object.keys(contract.query?.shape ?? {})) {
      const misspelt = parameter.slice(0, -2) + parameter.slice(-1);
      const { status, headers, json } = await request(contract, { query: { [misspelt]: '5' } });
      expect([status, headers['x-error-code']]).toEqual([422, 'validation_failed']);
      const text = `The query parameter "${misspelt}" does not exist. Did you mean "${parameter}"?`;
      expect(json.errors).toMatchObject({ [misspelt]: [text] });
    }
  });

  it.each(withQuery)('is ignored by $name if it resembles none', async (contract) => {
    const query = { utm_source: 'x', fbclid: 'x', _: '1', v: '2', '': '', page: '2', __proto: 'x', 'x-amz-date': 'x' };
    const needed = contract.name === 'get-call-permission' ? { user_wa_id: '15550100999' } : {};
    expect((await request(contract, { query: { ...query, ...needed } })).status).toBe(taken);
  });
});
