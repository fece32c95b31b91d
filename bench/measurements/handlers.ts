import type { Context } from 'aws-lambda';
import type { FlowDependencies } from '#functions/flows/compose.ts';
import { createToken, hashToken } from '#shared/accounts/token.ts';
import { newId } from '#shared/base/ids.ts';
import { markOf } from '#shared/base/mark.ts';
import type { LiveFlow } from '#shared/flows/flow.ts';
import type { FlowContext } from '#shared/flows/upstream-changes.ts';
import type { HttpEvent } from '#shared/http/request.ts';
import type { Access } from '#shared/operations/authorize.ts';
import type { RunWithKey } from '#shared/operations/keyed-request.ts';
import { type Build, readDefinitions } from '../build.ts';
import { elapsed, type Figure, median } from '../report.ts';

const batches = 40;
const requestsABatch = 500;
const warmUpBatches = 10;

type Handler = (event: HttpEvent, context: Context) => Promise<{ statusCode: number }>;

const now = Date.now();
const [workspace, user, token] = [newId(), newId(), createToken()];

const flowJson = JSON.stringify({ version: '7.3', screens: [{ id: 'WELCOME', title: 'Welcome', layout: {} }] });

const flow: LiveFlow = {
  id: newId(),
  workspace,
  wa_id: '1234567890',
  name: 'Appointments',
  categories: [3],
  endpoint_url: null,
  endpoint_encrypted: true,
  status: 'DRAFT',
  version: null,
  json: { text: flowJson },
  preview_generation: 0,
  created_at: now,
  updated_at: now,
};

const access: Access = {
  token: { hash: hashToken(token), user, label: 'bench', created_at: now },
  workspace: { id: workspace, name: 'Bench', waba_id: '1', created_at: now },
  membership: { workspace, user, role: 'owner' },
  flow,
};

/** Stubs all I/O with immediate results. */
const context = {
  flows: {
    insert: async () => {},
    save: async () => flow,
    async *list() {
      yield flow;
    },
  },
  flowJson: {
    read: async () => flowJson,
    readAll: async (stored: readonly unknown[]) => stored.map(() => flowJson),
    discard: async () => {},
  },
  upstream: { create: async () => flow.wa_id },
  wabaId: '1',
  endpointUri: () => 'https://api.example.com',
  holder: 'bench',
  now: Date.now,
} as unknown as FlowContext;

const dependencies = {
  access: async () => access,
  now: Date.now,
  mark: markOf('bench'),
  baseUrl: 'https://api.example.com',
  contextFor: () => context,
} as FlowDependencies;

/** Without an `Idempotency-Key` it is not used. */
const keyedRequests: RunWithKey = () => Promise.reject(new Error('No request has a key'));

const event = {
  headers: {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'accept-language': 'pt-BR,pt;q=0.9,en;q=0.8',
  },
  pathParameters: { workspace, flow: flow.id },
  requestContext: { http: { sourceIp: '127.0.0.1' } },
  body: JSON.stringify({ name: flow.name, categories: flow.categories }),
  isBase64Encoded: false,
} as unknown as HttpEvent;

/** Measures wrapper and handler of some operations, with all I/O stubbed. */
export async function measureHandlers(build: Build): Promise<Figure[]> {
  // A handler reads its function's environment.
  Object.assign(process.env, ...readDefinitions(build).map(({ environment }) => environment), {
    AWS_REGION: 'us-east-1',
  });
  const [get, list, create] = await Promise.all([
    import('#functions/flows/get-flow.ts'),
    import('#functions/flows/list-flows.ts'),
    import('#functions/flows/create-flow.ts'),
  ]);
  return [
    await measure('get-flow', get.makeHandler(dependencies)),
    await measure('list-flows, one Flow', list.makeHandler(dependencies)),
    await measure(
      'create-flow',
      create.makeHandler({ ...dependencies, keyedRequests, endpointUrlFault: () => undefined }),
    ),
  ];
}

async function measure(name: string, handler: unknown): Promise<Figure> {
  const run = handler as Handler;
  const log = console.info;
  // Lambda's runtime serialises every entry, so that time counts; only the output is left out.
  console.info = (entry) => void JSON.stringify(entry);
  const perRequest: number[] = [];
  try {
    for (let batch = -warmUpBatches; batch < batches; batch++) {
      const milliseconds = await elapsed(async () => {
        for (let request = 0; request < requestsABatch; request++) {
          const { statusCode } = await run(event, newContext());
          if (statusCode >= 300) throw new Error(`${name} answered ${statusCode}`);
        }
      });
      if (batch >= 0) perRequest.push((milliseconds * 1000) / requestsABatch);
    }
  } finally {
    console.info = log;
  }
  return { what: `Wrapper and handler of ${name}, I/O stubbed`, value: median(perRequest), unit: 'µs', budget: 50 };
}

const newContext = () => ({ awsRequestId: 'bench', getRemainingTimeInMillis: () => 20_000 }) as Context;
