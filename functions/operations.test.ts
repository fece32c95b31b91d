import { afterEach, describe, expect, it, vi } from 'vitest';
import { sourceFile } from '#infra/paths.ts';
import { functionBehind, variablesFor } from '#shared/operations/contract.ts';
import { requestId, send } from '#support/aws/http-event.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { functions, operations } from './operations.ts';

captureLog();

afterEach(() => {
  vi.unstubAllEnvs();
});

/** The environment that the stack gives a function; nothing that it names is ever called. */
const environment: Partial<Record<string, string>> = {
  OWN_URLS: 'https://api.example.com',
  EGRESS_ALLOWED_CIDRS: '',
  DELIVERY_TIMEOUT_MS: '10000',
  DELIVERY_RETRY_SCHEDULE: '',
  UPSTREAM_TIMEOUT_MS: '300',
  QUEUE_URL: 'http://127.0.0.1:1/000000000000/notifications',
};

/** What is done with one target in a function, and here with all of them, or the other way round. */
const otherPaths = {
  'list-webhook-targets': '/v2/messaging/numbers/{number}/webhook/targets',
  'rotate-webhook-target-secret': '/v2/messaging/numbers/{number}/webhook/targets/{target}/secret',
} as const;

describe('the operation table', () => {
  it('names every function, every operation and every route once', () => {
    const names = [...functions, ...operations.filter(({ servedBy }) => servedBy)].map(({ name }) => name);
    const routes = operations.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(routes).size).toBe(routes.length);
  });

  it.each(operations.filter(({ servedBy }) => servedBy))(
    '$name shares the function of the same operation',
    (shared) => {
      const own = operations.find(({ name }) => name === shared.servedBy);
      const path = own?.path.replace('/messaging/numbers/{number}/', '/workspaces/{workspace}/');
      const ofTargets = otherPaths[shared.name as keyof typeof otherPaths];
      const expected = ofTargets ? { path: ofTargets } : { path, tag: 'Workspace webhook' };
      expect(shared).toMatchObject({ method: own?.method, uses: own?.uses, ...expected });
    },
  );

  it('lists the only operations that succeed although their call of the upstream fails', () => {
    const reconciling = operations.filter(({ uses }) => uses.upstream === 'reconcile').map(({ name }) => name);
    expect(reconciling).toEqual(['list-flows', 'get-flow']);
  });

  const guarded = operations.filter(({ caller }) => caller !== 'public' && caller !== 'upstream');

  // `test/stack/routes.test.ts` lists the routes that are open.
  it('demands a principal for every route of workspaces and numbers', () => {
    const open = operations.filter((operation) => !guarded.includes(operation)).map(({ path }) => path);
    expect(open.filter((path) => /\/(workspaces|numbers)(\/|$)/.test(path))).toEqual([]);
  });

  // API Gateway lets every request through to its function. Nothing in the environment can be reached, so a handler
  // that looked anything up would fail.
  it.each(guarded)('$name demands a principal', async (operation) => {
    const { method, path } = operation;
    const behind = functions.filter(({ name }) => name === functionBehind(operation));
    for (const variable of behind.flatMap(variablesFor))
      vi.stubEnv(variable, environment[variable] ?? 'https://example.com');
    const { start } = await import(sourceFile(functionBehind(operation)));
    const pathParameters = {
      workspace: '018f0000-0000-7000-8000-000000000001',
      flow: '018f0000-0000-7000-8000-0000000000f1',
      number: '018f0000-0000-7000-8000-0000000000b1',
    };
    expect(await send(start(), { routeKey: `${method} ${path}`, pathParameters })).toMatchObject({
      status: 401,
      headers: { 'x-error-code': 'unauthenticated', 'x-request-id': requestId },
    });
  });
});
