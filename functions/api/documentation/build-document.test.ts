import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { operations } from '#functions/operations.ts';
import { messageSamples } from '#local/graph/events/message-samples.ts';
import * as samples from '#local/graph/events/samples.ts';
import { findings } from '#shared/calls/sdp-findings.ts';
import { describeMembers } from '#shared/http/members.ts';
import { splitEvents } from '#shared/ingestion/events.ts';
import { type Access, authorize } from '#shared/operations/authorize.ts';
import { type Contract, needsToken } from '#shared/operations/contract.ts';
import { errorCatalogue } from '#shared/operations/error-catalogue.ts';
import { errorResponse, publicCode } from '#shared/operations/error-response.ts';
import { errorCodesByStatus } from '#shared/operations/public-errors.ts';
import { builtInTargets, type PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { caller, token, workspace } from '#support/fakes/fake-access.ts';
import { draft, now } from '#support/fakes/fake-flow-context.ts';
import { schemaValidator } from '#support/http/schema-validator.ts';
import { apiDocument } from './build-document.ts';
import { operationExamples } from './examples.ts';
import { headerParameters, requestBodies } from './requests.ts';
import { membersOf, type Schema } from './schemas.ts';
import { webhooks } from './webhooks.ts';

const document = apiDocument(operations, 'https://api.example.com');
const validate = schemaValidator(document);

const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path: ['paths', path, method], operation })),
);

/** Every request and response body, with its name, its content type and the path to it in the document. */
const bodies = described.flatMap(({ path, operation: { operationId, requestBody, responses } }) => [
  ...Object.entries(requestBody?.content ?? {}).map(([type, content]) => ({
    name: `${operationId}.request`,
    type,
    content,
    path: [...path, 'requestBody', 'content', type],
  })),
  ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.entries(content).map(([type, body]) => ({
      name: `${operationId}.${status}`,
      type,
      content: body,
      path: [...path, 'responses', status, 'content', type],
    })),
  ),
]);

const schemas: [string, Schema][] = [
  ...Object.entries(document.components.schemas),
  ...bodies.map(({ name, content }): [string, Schema] => [name, content.schema]),
];

describe('the descriptions', () => {
  it('cover every parameter', () => {
    const missing = described.flatMap(({ operation: { operationId, parameters } }) =>
      parameters.filter(({ description }) => !description).map(({ name }) => `${operationId}.${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('cover every member of every schema: if not, add it to describeMembers beside the schema', () => {
    const missing = schemas.flatMap(([name, schema]) =>
      membersOf(schema)
        .filter(({ member }) => !member.description)
        .map(({ path }) => `${name} ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('are of members that exist', () => {
    const body = z.strictObject({ name: z.string() });
    describeMembers(body, () => ({ name: 'The name.', 'name.first': 'A member of a text.' }));
    expect(() => apiDocument([{ ...operations[0], body } as Contract], '')).toThrow('name.first');
  });

  it('and examples are of operations that exist', () => {
    const operationIds = described.map(({ operation }) => operation.operationId);
    const named = [headerParameters, requestBodies, operationExamples].flatMap(Object.keys);
    expect(named.filter((name) => !operationIds.includes(name))).toEqual([]);
  });
});

it('the API description says what numbers stand for, and the default of limit', () => {
  const { FlowMetadata, PreviewRequest, Preview } = document.components.schemas;
  expect(FlowMetadata?.properties?.categories?.description).toContain('1 `SIGN_UP`');
  expect(FlowMetadata?.properties?.categories?.description).toContain('8 `OTHER`');
  expect(PreviewRequest?.properties?.valid_until?.description).toContain('1 for 1 hour');
  expect(Preview?.properties?.valid_until).toMatchObject({ format: 'date-time' });
  const [status, limit] = ['status', 'limit'].map((wanted) =>
    document.paths['/v2/workspaces/{workspace}/flows']?.get?.parameters.find(({ name }) => name === wanted),
  );
  expect(status?.description).toContain('0 `UNKNOWN`');
  expect(limit?.schema).toMatchObject({ minimum: 1, maximum: 100, default: 100 });
});

it('the API description requires a body exactly where an empty object is invalid', () => {
  const asked = bodies.filter(({ name, type }) => name.endsWith('.request') && type === 'application/json');
  const wrong = asked.filter(({ name, path }) => {
    const operation = described.find(({ operation: { operationId } }) => `${operationId}.request` === name)?.operation;
    return (validate([...path, 'schema'], {}) !== undefined) !== Object(operation?.requestBody).required;
  });
  expect(asked.length).toBeGreaterThan(0);
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

it('the API description allows an empty value of the query parameters that count as absent then', () => {
  const wrong = operations.flatMap(({ name, path, method, query }) =>
    Object.entries<z.ZodMiniType>(Object(query?.shape)).flatMap(([parameter, schema]) => {
      const parameters = document.paths[path]?.[method.toLowerCase()]?.parameters ?? [];
      const at = parameters.findIndex(({ name: other }) => other === parameter);
      const allowed = Object(parameters[at]).allowEmptyValue === true;
      const pointer = ['paths', path, method.toLowerCase(), 'parameters', String(at), 'schema'];
      const documented = allowed || validate(pointer, '') === undefined;
      return schema.safeParse('').success === documented ? [] : [`${name} ${parameter}`];
    }),
  );
  expect(wrong).toEqual([]);
});

it('the API description lists the targets that a path can name', () => {
  const targetOf = (path: string) =>
    document.paths[path]?.get?.parameters.find(({ name }) => name === 'target')?.schema;
  const { pattern } = targetOf('/v2/messaging/numbers/{number}/webhook/targets/{target}') ?? {};
  const names = [...builtInTargets, 'crm', 'my-bot-2', 'Crm', 'my_hook', '2nd', ''];
  expect(names.filter((name) => new RegExp(String(pattern)).test(name))).toEqual([
    ...builtInTargets,
    'crm',
    'my-bot-2',
  ]);
  expect(targetOf('/v2/workspaces/{workspace}/webhook/targets/{target}')?.enum).toEqual(['webhook']);
});

it('the API description wants one of the two names of whom to call', () => {
  const call = ['components', 'schemas', 'CallRequest'];
  const { to, ...rest } = Object(operationExamples.makeCall?.request);
  expect(validate(call, { to, ...rest })).toBeUndefined();
  expect(validate(call, { recipient: 'BR.1', ...rest })).toBeUndefined();
  expect(validate(call, rest)).toBeDefined();
  expect(validate(call, { to, recipient: 'BR.1', ...rest })).toBeDefined();
});

it('the API description says what each form of a message requires, and that a Flow takes no other members', () => {
  const messages = ['components', 'schemas', 'MessageRequest'];
  const flow = { flow: '019b76da-a800-7000-8000-000000000001', cta: 'Book', body: 'Book a table' };
  for (const body of [
    { type: 'flow', flow },
    { type: 'order_flow', flow: { x: 1 } },
    { status: 'read', message_id: 'w' },
  ])
    expect(validate(messages, body)).toBeUndefined();
  for (const body of [
    { type: 'flow' },
    { type: 'flow', flow: { ...flow, cta: undefined } },
    { type: 'flow', flow: { ...flow, expire_in: 60 } },
    { to: '15550100999' },
    { status: 'read' },
  ])
    expect(validate(messages, JSON.parse(JSON.stringify(body))), JSON.stringify(body)).toBeDefined();
});

describe('the examples', () => {
  const isSuccess = (name: string) => /\.(request|2\d\d)$/.test(name);
  const isText = (type: string) => !type.startsWith('text/html') && type !== '*/*';

  it('exist for every request and for every success that is neither a page nor a file', () => {
    const missing = bodies.filter(
      ({ name, type, content }) => isSuccess(name) && isText(type) && content.example === undefined,
    );
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  it.each(bodies.filter(({ content }) => content.example !== undefined).map((body) => [body.name, body] as const))(
    'the examples fit the schema: %s',
    (_, { path, content }) => {
      expect(validate([...path, 'schema'], content.example)).toBeUndefined();
    },
  );

  it('have session descriptions with which a call connects', () => {
    const { makeCall, acceptCall } = operationExamples;
    expect(findings(Object(makeCall?.request).session.sdp, 'offer')).toEqual([]);
    expect(findings(Object(acceptCall?.request).sdp, 'answer')).toEqual([]);
  });

  it.each(
    Object.entries(document.components.schemas).flatMap(([name, { examples }]) =>
      ((examples as unknown[] | undefined) ?? []).map((example) => [name, example] as const),
    ),
  )('the examples fit the schema: %s', (name, example) => {
    expect(validate(['components', 'schemas', name], example)).toBeUndefined();
  });
});

const responsesOf = ({ path, method }: Contract) => document.paths[path]?.[method.toLowerCase()]?.responses ?? {};

type Choices = Record<string, readonly unknown[]>;

/** Every combination of one value for each name. */
function combinations<const T extends Choices>(choices: T): { [Name in keyof T]: T[Name][number] }[] {
  return Object.entries(choices).reduce<object[]>(
    (all, [name, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  ) as { [Name in keyof T]: T[Name][number] }[];
}

const member = { workspace: workspace.id, user: token.user } as const;
const number = { active: true, calling_enabled: true } as PhoneNumber;

/** The errors that the wrapper may return for a request with a well-formed token. */
const everyAccess = combinations({
  token: [token, undefined],
  workspace: [workspace, { ...workspace, calling_enabled: false }, undefined],
  membership: [{ ...member, role: 'owner' }, { ...member, role: 'member' }, undefined],
  flow: [draft, undefined],
  number: [number, { ...number, calling_enabled: false }, { ...number, active: false }, undefined],
}) satisfies Access[];

/** The statuses and codes with which access control rejects requests to an operation. */
async function rejections(contract: Contract): Promise<{ status: string; code: string }[]> {
  if (!needsToken(contract)) return [];
  const rejections = await Promise.all(
    ['webhook', 'own', 'UNKNOWN'].flatMap((target) => {
      const event = { pathParameters: { target }, headers: { authorization: caller } } as never;
      return everyAccess.map((access) =>
        authorize(
          contract,
          event,
          async () => access,
          () => now,
        ).then(
          () => [],
          (error: unknown) => {
            const { status, headers } = errorResponse(error, 'en', errorCatalogue);
            return [{ status: String(status), code: headers['x-error-code'] ?? '' }];
          },
        ),
      );
    }),
  );
  return rejections.flat();
}

/** The upstream forbids calls of a number for which calling is off. */
const rejectionsOfUpstream = ({ path, uses }: Contract) =>
  uses.upstream === 'call' && path.includes('/calls/') ? [{ status: '403', code: 'upstream_rejected' }] : [];

describe('the errors of access control', () => {
  it.each(operations.map((contract) => [contract.name, contract] as const))(
    'are those that the wrapper or the upstream can return: %s',
    async (_, contract) => {
      const found = [...(await rejections(contract)), ...rejectionsOfUpstream(contract)];
      // A number has targets with names of their own, so a valid name may still be that of none.
      const thrown = [
        ...(contract.throws ?? []).map(publicCode),
        ...(contract.path.includes('{target}') ? ['target_not_found'] : []),
      ];
      const codes = ['401', '403', '404'].flatMap((status) => errorCodesByStatus(contract).get(Number(status)) ?? []);
      const ofWrapper = new Set(found.map(({ code }) => code));
      expect(new Set(codes.filter((code) => ofWrapper.has(code) || !thrown.includes(code)))).toEqual(ofWrapper);
    },
  );
});

describe('the texts and headers of errors', () => {
  it('list the codes that a response can have, with what each says', () => {
    const { description } = Object(document.paths['/v2/workspaces/{workspace}/flows/{flow}']?.get?.responses['404']);
    expect(description).toBe('`flow_not_found`: Flow not found.\n\n`workspace_not_found`: Workspace not found.');
  });

  it('say what the gateway rejects by itself', () => {
    const ofPut = responsesOf(operations.find(({ name }) => name === 'update-flow') as Contract);
    expect(ofPut['413']?.description).toBe('The body is too large.');
    expect(ofPut['429']?.description).toMatch(/^`rate_limited`: .+\n\nToo many requests\./);
  });

  it.each([
    ['update-flow', '409', true],
    ['update-flow-json', '409', true],
    ['publish-flow', '409', true],
    ['delete-flow', '409', true],
    ['create-flow', '409', true],
    ['send-message', '409', true],
    ['send-message', '429', true],
    ['rotate-webhook-secret', '429', true],
    ['get-media', '503', true],
    ['rotate-webhook-secret', '409', false],
    ['complete-media-upload', '409', false],
    // Only the gateway responds with it, and has no such header.
    ['get-webhook', '429', false],
  ])('%s says in Retry-After of %s when to try again: %s', (name, status, saysWhen) => {
    const contract = operations.find((operation) => operation.name === name) as Contract;
    expect('Retry-After' in Object(responsesOf(contract)[status]?.headers)).toBe(saysWhen);
  });
});

describe('the webhooks', () => {
  it('the webhooks carry the signature headers', () => {
    for (const { post } of Object.values(webhooks)) {
      expect(post.parameters.map(({ name }) => name)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
    }
  });

  it.each(Object.keys(webhooks))('have an example that fits the schema: %s', (name) => {
    const { example } = webhooks[name as keyof typeof webhooks].post.requestBody.content['application/json'];
    expect(
      validate(['webhooks', name, 'post', 'requestBody', 'content', 'application/json', 'schema'], example),
    ).toBeUndefined();
  });

  const item = { id: 'wamid.1', timestamp: '1795000000' };
  const person = { from: '15550100999', recipient_id: '15550100999', to: '15550100001' };
  const people = { contacts: [{ profile: { name: 'Ana' }, wa_id: '15550100999' }] };
  it.each<[string, string, string, object]>([
    ...Object.entries(messageSamples).map(([name, sample]): [string, string, string, object] => [
      name,
      'MessageNotification',
      'messages',
      { messages: [{ ...item, ...person, ...sample }], ...people },
    ]),
    ...Object.entries(samples.statusSamples).map(([status, sample]): [string, string, string, object] => [
      status,
      'StatusNotification',
      'messages',
      { statuses: [{ ...item, ...person, status, ...sample }], ...people },
    ]),
    ...Object.entries(samples.errorSamples).map(([name, sample]): [string, string, string, object] => [
      name,
      'ErrorNotification',
      'messages',
      { errors: [sample] },
    ]),
    ...Object.entries(samples.callSamples).map(([name, sample]): [string, string, string, object] => [
      name,
      'CallNotification',
      'calls',
      { calls: [{ ...item, ...person, ...sample }], ...people },
    ]),
    ...Object.entries(samples.callStatusSamples).map(([name, sample]): [string, string, string, object] => [
      name,
      'CallStatusNotification',
      'calls',
      { statuses: [{ ...item, ...person, type: 'call', ...sample }] },
    ]),
  ])('describe what is sent: %s', (_, schema, field, value) => {
    const metadata = { phone_number_id: '200000000000001' };
    const body = { entry: [{ id: '1', changes: [{ field, value: { metadata, ...value } }] }] };
    const [event] = splitEvents(body, 0);
    expect(event).toHaveProperty('notification');
    expect(validate(['components', 'schemas', schema], Reflect.get(event ?? {}, 'notification'))).toBeUndefined();
  });
});
