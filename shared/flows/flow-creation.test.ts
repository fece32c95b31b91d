import { expect, it } from 'vitest';
import { ServiceError } from '#shared/base/service-error.ts';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { draft, fakeFlowDependencies, now } from '#support/fakes/fake-flow-context.ts';
import { categoryCodes } from './catalogue.ts';
import type { FlowRecord } from './flow.ts';
import { createFlow } from './flow-creation.ts';
import type { UpstreamFlow } from './flows-graph.ts';

captureLog();

const metadata = { name: draft.name, categories: draft.categories, endpoint_url: null, endpoint_encrypted: true };

const { wa_id: _, ...unknownUpstream } = draft;

/** A Flow of the same name whose creation another request began and abandoned. */
const earlier: FlowRecord = {
  ...unknownUpstream,
  pending: { lease: 'another', started_at: now - 120_000, change: 'create' },
};

/** What the upstream has after the creation of `earlier`. */
const leftThere: UpstreamFlow = {
  id: '44',
  name: earlier.name,
  status: 'DRAFT',
  categories: categoryCodes(earlier.categories),
};

/** Creates a Flow while the creation of `earlier` is unfinished and the upstream's response is this error. */
function create(error: Error, found?: UpstreamFlow) {
  const upstream = { create: () => Promise.reject(error), findByName: async () => found };
  const { context, records } = fakeFlowDependencies({ flows: [earlier], upstream });
  const flows = { ...context.flows, findPendingCreates: async () => [earlier] };
  return { created: createFlow(draft.workspace, metadata, { ...context, flows }), records };
}

const duplicate = new UpstreamError('rejected', 'The name is taken', { code: 100 });

it('adopts the Flow of an abandoned creation as a draft if the upstream rejects a second one', async () => {
  const { created } = create(duplicate, leftThere);
  expect(await created).toMatchObject({ id: earlier.id, wa_id: '44', status: 'DRAFT' });
});

it.each<[string, UpstreamFlow | undefined]>([
  ['left no Flow there', undefined],
  ['has the name of a published Flow', { ...leftThere, status: 'PUBLISHED' }],
  ['has the name of a draft with a Flow JSON', { ...leftThere, json_version: '7.3' }],
  ['has the name of a Flow of other categories', { ...leftThere, categories: ['OTHER'] }],
  ['has the name of a Flow with another endpoint', { ...leftThere, endpoint_uri: 'https://example.com/other' }],
])('fails as the upstream does if the abandoned creation %s', async (_, found) => {
  const { created, records } = create(duplicate, found);
  await expect(created).rejects.toBe(duplicate);
  expect([...records.values()].filter((flow) => flow.wa_id !== undefined)).toEqual([]);
});

it.each([
  ['the upstream does not take requests', new UpstreamError('rate-limited', 'Too many requests')],
  ['this service refuses it', new ServiceError('flow.not-found')],
])('adopts nothing if %s', async (_, error) => {
  const { created, records } = create(error, leftThere);
  await expect(created).rejects.toBe(error);
  expect(records.get(earlier.id)).toEqual(earlier);
});
