import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { makeHandler as makeChange } from '#functions/graph-paths/graph-change.ts';
import { makeHandler as makeRead } from '#functions/graph-paths/graph-read.ts';
import { makeHandler as makeRegister } from '#functions/graph-paths/graph-register.ts';
import { makeHandler as makeSend } from '#functions/graph-paths/graph-send.ts';
import { graphFunctions } from '#functions/operations.ts';
import { createRouter } from '#local/aws/gateway/routing.ts';
import { hashToken, withChecksum } from '#shared/accounts/token.ts';
import { tokenStore } from '#shared/accounts/user-store.ts';
import type { Role, Workspace } from '#shared/accounts/workspace.ts';
import { workspaceStore } from '#shared/accounts/workspace-store.ts';
import { keys } from '#shared/aws/keys.ts';
import { newId } from '#shared/base/ids.ts';
import type { GetResponse } from '#shared/egress/get.ts';
import { flowStore } from '#shared/flows/flow-store.ts';
import { foreignFlowStore } from '#shared/flows/foreign-flow-store.ts';
import { type GraphClient, type GraphRequest, graphClient } from '#shared/graph/graph-client.ts';
import { graphObjectStore } from '#shared/graph-paths/graph-object-store.ts';
import { upstreamObjects } from '#shared/graph-paths/graph-objects-graph.ts';
import { keyedRequestStore } from '#shared/idempotency/keyed-request-store.ts';
import { mediaCopyStore } from '#shared/media/media-copy-store.ts';
import { upstreamMedia, upstreamUploads } from '#shared/media/media-graph.ts';
import { upstreamMessages } from '#shared/messages/messages-graph.ts';
import { sentFlowStore } from '#shared/messages/sent-flow-store.ts';
import { keyedRequests } from '#shared/operations/keyed-request.ts';
import { breakerStore } from '#shared/webhooks/breaker-store.ts';
import { numberStore } from '#shared/webhooks/number-store.ts';
import type { PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { secretStore, targetStore } from '#shared/webhooks/subscriber-store.ts';
import { operationOf, watchTable } from '#support/aws/watch-table.ts';
import { startTestTable } from '../aws/dynamodb.ts';
import { httpEvent } from '../aws/http-event.ts';
import { mark } from '../deployment.ts';
import { draft } from '../fakes/fake-flow-context.ts';
import { challengeIn } from './delivery-engine.ts';
import { accessToken, appSecret, startTestUpstream, validFlowJson } from './simulated-graph.ts';

/** The accounts of two tenants on one Meta app. Two workspaces share the first. */
export const accounts = { alpha: '100000000000101', beta: '100000000000201' } as const;

/** The last one is on the platform only. */
export const phoneNumbers = {
  alpha: '200000000000101',
  alphaSilent: '200000000000102',
  gamma: '200000000000103',
  beta: '200000000000201',
  unknown: '200000000000109',
} as const;

const displayed = (id: string) => `+1 555-010-0${id.slice(-3)}`;

/** Users, by the role that they have in the workspaces. */
const users = {
  owner: { alpha: 'owner' },
  member: { alpha: 'member' },
  sharer: { gamma: 'owner' },
  tenant: { beta: 'owner' },
  stranger: {},
} as const satisfies Record<string, Partial<Record<string, Role>>>;

export type UserName = keyof typeof users;

const tokenOf = (user: string) => withChecksum(user.toUpperCase().padEnd(32, '0').slice(0, 32));

export const tokens = Object.fromEntries(Object.keys(users).map((user) => [user, tokenOf(user)])) as Record<
  UserName,
  string
>;

interface CallOptions {
  /** Whose token the request has, or the header `Authorization`. */
  as?: UserName | undefined;
  authorization?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
  isBase64Encoded?: boolean;
}

/**
 * Runs Graph's paths on the real stores of a DynamoDB engine, behind the routes of the gateway, in front of the simulated
 * platform.
 */
export async function startGraphPathsWorld() {
  const { table, close: closeTable } = await startTestTable();
  const numbersOf = (...ids: string[]) =>
    ids.map((id) => ({ id, display_phone_number: displayed(id), calling_enabled: true }));
  const upstream = await startTestUpstream({
    accounts: [
      {
        waba_id: accounts.alpha,
        name: 'Alpha',
        phone_numbers: numbersOf(
          phoneNumbers.alpha,
          phoneNumbers.alphaSilent,
          phoneNumbers.gamma,
          phoneNumbers.unknown,
        ),
      },
      { waba_id: accounts.beta, name: 'Beta', phone_numbers: numbersOf(phoneNumbers.beta) },
    ],
  });
  const workspaces = await fill(table);
  const flows = flowStore(table);
  const sentFlows = sentFlowStore(table);
  const awsCalls: string[] = [];
  watchTable(table, (command, send) => {
    awsCalls.push(operationOf(command));
    return send(command);
  });

  const world = {
    table,
    workspaces,
    sentFlows,
    upstream,
    /** The calls of the table since the last request began. */
    awsCalls,
    /** The requests to the platform since the last request began. */
    asked: [] as GraphRequest[],
    /** What the platform responds with in place of what it would; `undefined` lets it respond. */
    answer: (_request: GraphRequest): unknown => undefined,
    clock: { now: Date.now() },
    /** The addresses of handshakes since the last request began. Receivers pass them, until a test changes that. */
    handshakes: [] as string[],
    receiver: challengeIn as (url: string) => GetResponse,
    targets: targetStore(table),
    secrets: secretStore(table),
    objects: graphObjectStore(table),

    async call(
      method: string,
      path: string,
      { as = 'owner', authorization, query, headers, ...rest }: CallOptions = {},
    ) {
      const rawPath = `/v2/graph${path}`;
      const match = findRoute(method, rawPath);
      if (!match) throw new Error(`No route leads to ${method} ${rawPath}`);
      const event = httpEvent({
        caller: authorization ?? (query?.access_token === undefined ? `Bearer ${tokens[as]}` : undefined),
        ...(query && { query }),
        ...(headers && { headers }),
        ...rest,
      });
      awsCalls.length = 0;
      world.asked = [];
      world.handshakes = [];
      const http = { ...event.requestContext.http, method };
      const response = await match.target.handle(
        { ...event, rawPath, routeKey: match.target.routeKey, requestContext: { ...event.requestContext, http } },
        { awsRequestId: newId() } as never,
      );
      const text = response.body ?? '';
      // biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of every shape.
      return { status: response.statusCode, headers: response.headers ?? {}, text, json: JSON.parse(text) as any };
    },

    /** A Flow of a workspace, on the platform and in the table. Its id is that of the platform. */
    async newFlow(workspace: Workspace, name: string = newId()): Promise<string> {
      const wa_id = await upstream.createFlow({ name, flow_json: validFlowJson }, workspace.waba_id ?? '');
      const flow = { ...draft, name, id: newId(), workspace: workspace.id, wa_id };
      const items = [
        { ...keys.flow(workspace.id, flow.id), ...flow },
        { ...keys.upstreamFlow(wa_id), workspace: workspace.id, flow: flow.id },
      ];
      for (const Item of items) await table.client.send(new PutCommand({ TableName: table.name, Item }));
      return wa_id;
    },

    /** A template of an account, which only the platform knows. */
    async newTemplate(account: string, name = `t_${Math.random().toString(36).slice(2)}`): Promise<string> {
      const components = [{ type: 'BODY', text: 'Hello' }];
      const body = { name, language: 'en_US', category: 'UTILITY', components };
      return (await upstream.graph('POST', `/${account}/message_templates`, body)).json.id;
    },

    /** A file of a number, which only the platform knows. */
    async newFile(phoneNumberId: string): Promise<string> {
      const form = new FormData();
      form.set('messaging_product', 'whatsapp');
      form.set('file', new File([Buffer.from('%PDF-1.4')], 'a.pdf', { type: 'application/pdf' }));
      return (await upstream.graph('POST', `/${phoneNumberId}/media`, form)).json.id;
    },

    reset() {
      world.answer = () => undefined;
      world.receiver = challengeIn;
    },

    async close() {
      await upstream.close();
      await closeTable();
    },
  };

  const settings = { baseUrl: upstream.url, version: 'v25.0', timeoutMs: 60_000 };
  const platform = graphClient(settings, async () => accessToken, Date.now() + 24 * 3600 * 1000, Date.now);
  const call: GraphClient = async (request) => {
    world.asked.push(request);
    return world.answer(request) ?? platform(request);
  };
  const dependencies = {
    now: () => world.clock.now,
    mark,
    objects: world.objects,
    credentialsOf: () => async () => ({ access_token: accessToken, app_secret: [appSecret, 'former-app-secret'] }),
    upstreamBaseUrl: upstream.url,
    baseUrl: 'https://api.example.com',
    upstream: () => upstreamObjects(call),
    calls: () => upstreamObjects(call),
    media: () => upstreamMedia(call),
    messages: () => upstreamMessages(call),
    uploads: () => upstreamUploads(call),
    keyedRequests: keyedRequests(keyedRequestStore(table)),
    copies: mediaCopyStore(table),
    bucket: { async *list() {}, delete: async () => undefined },
    flows,
    foreignFlows: foreignFlowStore(table),
    readOutline: async () => undefined,
    sentFlows,
    targets: world.targets,
    secrets: world.secrets,
    breakers: breakerStore(table),
    queue: { send: async () => {} },
    checkUrl: async (url: string) => (url.startsWith('https://10.') ? ('forbidden-address' as const) : undefined),
    ask: async (url: string) => {
      world.handshakes.push(url);
      return world.receiver(url);
    },
  };
  const handlers = [
    makeSend(dependencies),
    makeRead(dependencies),
    makeChange(dependencies),
    makeRegister(dependencies),
  ];
  const findRoute = createRouter(
    graphFunctions.flatMap(({ routes = [] }, at) =>
      routes.map((routeKey) => ({ routeKey, handle: handlers[at] as (typeof handlers)[number] })),
    ),
  );
  return world;
}

export type GraphPathsWorld = Awaited<ReturnType<typeof startGraphPathsWorld>>;

/** Creates the workspaces, their numbers, and the users with their tokens. */
async function fill(table: Awaited<ReturnType<typeof startTestTable>>['table']) {
  const newWorkspace = async (waba_id: string): Promise<Workspace> => {
    const workspace = { id: newId(), name: 'Workspace', waba_id, created_at: 0 };
    await workspaceStore(table).create(workspace);
    return workspace;
  };
  const workspaces = {
    alpha: await newWorkspace(accounts.alpha),
    gamma: await newWorkspace(accounts.alpha),
    beta: await newWorkspace(accounts.beta),
  };
  const newNumber = async (workspace: Workspace, phone_number_id: string): Promise<void> => {
    const number: PhoneNumber = {
      id: newId(),
      workspace: workspace.id,
      phone_number_id,
      display_phone_number: displayed(phone_number_id),
      active: true,
      calling_enabled: phone_number_id !== phoneNumbers.alphaSilent,
      created_at: 0,
    };
    await numberStore(table).create(number);
  };
  await newNumber(workspaces.alpha, phoneNumbers.alpha);
  await newNumber(workspaces.alpha, phoneNumbers.alphaSilent);
  await newNumber(workspaces.gamma, phoneNumbers.gamma);
  await newNumber(workspaces.beta, phoneNumbers.beta);
  for (const [user, roles] of Object.entries(users)) {
    for (const [name, role] of Object.entries(roles) as [keyof typeof workspaces, Role][]) {
      await workspaceStore(table).putMember({ workspace: workspaces[name].id, user, role });
    }
    await tokenStore(table).create({ hash: hashToken(tokenOf(user)), user, label: 'test', created_at: 0 });
  }
  return workspaces;
}
