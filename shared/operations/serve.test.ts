import { afterEach, expect, it, vi } from 'vitest';
import { defineContract, type Environment } from './contract.ts';
import type { PublicDependencies } from './create-handler.ts';
import { run, servePublic } from './serve.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

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

const garden = (environment: Environment<'table'>) => `garden in ${environment.TABLE_NAME}`;

const makeHandler = (dependencies: PublicDependencies & { garden: string }) => (name: string) => ({
  name,
  ...dependencies,
});

it('a served operation opens what it depends on when it starts', () => {
  const start = servePublic(contract, makeHandler, { garden });
  vi.stubEnv('TABLE_NAME', 'plants');
  vi.stubEnv('BASE_URL', 'https://api.example.com');
  vi.stubEnv('PUBLIC_URL', 'https://api.example.com');
  vi.stubEnv('DEPLOYMENT_ID', 'd1');
  expect(start()('fern')).toEqual({
    name: 'fern',
    now: Date.now,
    mark: 'messaging-service-d1',
    garden: 'garden in plants',
  });
});

it('a function does not start without the variables of what it uses', () => {
  vi.stubEnv('TABLE_NAME', undefined);
  vi.stubEnv('BASE_URL', undefined);
  expect(servePublic(contract, makeHandler, { garden })).toThrow(/BASE_URL.*TABLE_NAME/);
});

it('an opener of something that the contract does not name does not compile', () => {
  const bucket = (environment: Environment<'bucket'>) => environment.BUCKET_NAME;
  // @ts-expect-error
  servePublic(contract, makeHandler, { garden: bucket });
});

it('a function that is not an operation gets the clock and what it depends on', () => {
  vi.stubEnv('TABLE_NAME', 'plants');
  const definition = { name: 'water', summary: 'Waters plants.', uses: { table: { GetItem: ['TOKEN#'] } } } as const;
  const start = run(definition, (dependencies: { now: () => number; garden: string }) => dependencies, { garden });
  expect(start()).toEqual({ now: Date.now, garden: 'garden in plants' });
});
