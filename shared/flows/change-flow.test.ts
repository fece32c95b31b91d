import { expect, it } from 'vitest';
import { UpstreamError } from '#shared/base/upstream-error.ts';
import { captureLog } from '#support/fakes/captured-log.ts';
import { draft, fakeFlowDependencies } from '#support/fakes/fake-flow-context.ts';
import { changeFlow } from './change-flow.ts';

const log = captureLog();

it.each([
  ['rejects', new UpstreamError('rejected', 'The Flow has errors')],
  ['does not respond to', new UpstreamError('timeout', 'No response')],
])('a change that the upstream %s fails with that error, also if its lease cannot be released', async (_, error) => {
  const { context } = fakeFlowDependencies({ reported: { status: 'DRAFT' } });
  const lost = () => Promise.reject(new Error('There is no table'));
  const failing = {
    ...context,
    flows: { ...context.flows, release: lost, suspend: lost },
    upstream: { ...context.upstream, publish: () => Promise.reject(error) },
  };
  await expect(changeFlow(draft, { change: 'publish' }, failing)).rejects.toBe(error);
  expect(log).toContainEqual(
    expect.objectContaining({ event: 'flow.lease-not-released', error_message: 'There is no table' }),
  );
});
