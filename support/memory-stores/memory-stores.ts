import { breakersIn } from './breakers.ts';
import { deliveriesIn } from './deliveries.ts';
import type { Memory, Run } from './memory.ts';
import { numbersIn, secretsIn, targetsIn } from './subscribers.ts';

const atOnce: Run = async (_action, _detail, effect) => effect();

/**
 * The stores of deliveries and subscribers in memory. They interpret the transitions that the real stores compile to
 * conditional writes. A test drives both through the same operations.
 */
export function memoryStores(memory: Memory, run: Run = atOnce) {
  return {
    deliveries: deliveriesIn(memory, run),
    breakers: breakersIn(memory, run),
    targets: targetsIn(memory, run),
    secrets: secretsIn(memory, run),
    numbers: numbersIn(memory, run),
  };
}

export type MemoryStores = ReturnType<typeof memoryStores>;
