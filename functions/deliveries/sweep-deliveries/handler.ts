import { type SweepContext, sweep } from '#shared/domain/attempts/sweep.ts';
import { breakers } from '#shared/runtime/providers/breakers.ts';
import { deliveries } from '#shared/runtime/providers/deliveries.ts';
import { queue } from '#shared/runtime/providers/queue.ts';
import { targets } from '#shared/runtime/providers/targets.ts';
import { run } from '#shared/runtime/serve.ts';
import { definition } from './definition.ts';

export const makeHandler = (context: SweepContext) => async (): Promise<void> => sweep(context);

export const handler = run(definition, makeHandler, { deliveries, targets, breakers, queue });
