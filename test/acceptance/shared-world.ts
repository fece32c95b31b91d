import { it as baseIt } from 'vitest';
import { startFlowService } from '../../support/flows/flow-service.ts';

/**
 * A test with a local world that is shared by the files that run in the same process, so that few functions have to
 * start. Each file checks `expectQuiet` when it ends: Vitest drops what fails when a shared fixture is closed.
 */
export const it = baseIt
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the pattern to find out which fixtures this one needs.
  .extend('service', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const service = await startFlowService();
    onCleanup(() => service.close());
    return service;
  });
