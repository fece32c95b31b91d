import { setTimeout as delay } from 'node:timers/promises';
import { provider } from '../provider.ts';

export const wait = provider(
  {},
  () =>
    (milliseconds: number): Promise<unknown> =>
      delay(milliseconds),
);
