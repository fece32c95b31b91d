import { breakers, deliveries, targets } from '#functions/webhooks/compose.ts';
import { type SweepContext, sweep } from '#shared/delivery/sweep.ts';
import { queue } from '#shared/operations/compose.ts';
import { run } from '#shared/operations/serve.ts';
import { sweepDeliveries as definition } from './contracts.ts';

export const makeHandler = (context: SweepContext) => async (): Promise<void> => sweep(context);

export const start = run(definition, makeHandler, { deliveries, targets, breakers, queue });
