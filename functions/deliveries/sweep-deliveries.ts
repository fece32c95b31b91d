import { queue } from '#shared/compose/queue.ts';
import { breakers, deliveries, targets } from '#shared/compose/stores.ts';
import { type SweepContext, sweep } from '#shared/delivery/sweep.ts';
import { run } from '#shared/operations/serve.ts';
import { sweepDeliveries as definition } from './contracts.ts';

export const makeHandler = (context: SweepContext) => async (): Promise<void> => sweep(context);

export const handler = run(definition, makeHandler, { deliveries, targets, breakers, queue });
