import { type SweepContext, sweep } from '#shared/domain/attempts/sweep.ts';
import { queue } from '#shared/runtime/providers/queue.ts';
import { breakers, deliveries, targets } from '#shared/runtime/providers/stores.ts';
import { run } from '#shared/runtime/serve.ts';
import { definition } from './definition.ts';

export const makeHandler = (context: SweepContext) => async (): Promise<void> => sweep(context);

export const handler = run(definition, makeHandler, { deliveries, targets, breakers, queue });
