import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Mark } from '#shared/base/mark.ts';
import { defineContract } from './contract.ts';
import { resource, text } from './resource.ts';
import { provider, run, serve } from './serve.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const open = vi.fn(({ TABLE_NAME }: { TABLE_NAME: string }) => TABLE_NAME);
const table = resource('table', { TABLE_NAME: text }, open);
const first = provider({ table }, ({ table }) => `first of ${table}`);
const second = provider({ table }, ({ table }) => `second of ${table}`);

const contract = defineContract(() => ({
  name: 'get-plant',
  method: 'GET',
  path: '/v2/plants',
  summary: 'Reads a plant.',
  tag: 'Plants',
  caller: 'public',
  responses: { 200: { description: 'The plant' } },
  uses: { table: { GetItem: ['TOKEN#'] } },
}));

interface Dependencies {
  now: () => number;
  mark: Mark;
  first: string;
  second: string;
}

const makeHandler = (dependencies: Dependencies) => (name: string) => ({ name, ...dependencies });

describe('a served operation', () => {
  it('reads nothing when it is declared, and reads the environment at its first invocation', () => {
    const handler = serve(contract, makeHandler, { first, second });
    vi.stubEnv('TABLE_NAME', 'plants');
    vi.stubEnv('BASE_URL', 'https://api.example.com');
    vi.stubEnv('PUBLIC_URL', 'https://api.example.com');
    vi.stubEnv('DEPLOYMENT_ID', 'd1');
    expect(handler('fern')).toEqual({
      name: 'fern',
      now: Date.now,
      mark: 'messaging-service-d1',
      first: 'first of plants',
      second: 'second of plants',
    });
  });

  it('opens a resource once, however many providers and invocations use it', () => {
    vi.stubEnv('TABLE_NAME', 'plants');
    vi.stubEnv('BASE_URL', 'https://api.example.com');
    vi.stubEnv('PUBLIC_URL', 'https://api.example.com');
    vi.stubEnv('DEPLOYMENT_ID', 'd1');
    const handler = serve(contract, makeHandler, { first, second });
    handler('fern');
    handler('moss');
    expect(open).toHaveBeenCalledOnce();
  });

  it('fails when it is opened in an environment without a required variable', () => {
    vi.stubEnv('TABLE_NAME', undefined);
    expect(() => serve(contract, makeHandler, { first, second }).open()).toThrow('TABLE_NAME is not set');
  });
});

it('a function that is not an operation gets the clock and the resources that it asks for', () => {
  vi.stubEnv('TABLE_NAME', 'plants');
  const definition = { name: 'water', summary: 'Waters plants.', uses: { table: { GetItem: ['TOKEN#'] } } } as const;
  const handler = run(definition, (dependencies: { now: () => number; first: string }) => () => dependencies, {
    first,
  });
  expect(handler()).toEqual({ now: Date.now, first: 'first of plants' });
});
