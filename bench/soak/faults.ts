import { setTimeout as delay } from 'node:timers/promises';
import { pickFrom } from '#support/random.ts';
import { simulator } from './api-traffic.ts';
import type { Disturbances } from './disturbances.ts';
import type { SoakWorld } from './soak-world.ts';

/** The functions to kill. Those where something may get lost appear more often. */
const victims = [
  'DeliverNotifications',
  'DeliverNotifications',
  'ReceiveEvents',
  'CreateFlow',
  'UpdateFlow',
  'PublishFlow',
];

const operations = [
  'create_flow',
  'update_flow',
  'update_flow_json',
  'publish_flow',
  'delete_flow',
  'get_flow',
  'get_media',
];

const upstreamFaults = [
  { kind: 'error', status: 500, error: { code: 1 } },
  { kind: 'refusal', name: 'unknown_error' },
  { kind: 'timeout' },
  { kind: 'reset' },
  { kind: 'accept_then_reset' },
  { kind: 'accept_then_timeout' },
  { kind: 'slow', ms: 300 },
  { kind: 'malformed' },
];

/** How long an upstream fault stays active. */
const faultMs = 3_000;

export interface FaultPlan {
  /** Epoch milliseconds at which to kill the world. */
  worldKillsAt: readonly number[];
  /** Mean time between two other faults. */
  everyMs: number;
}

/** Kills processes and injects upstream faults until the signal aborts. Records each as a disturbance. */
export async function injectFaults(
  world: SoakWorld,
  disturbances: Disturbances,
  plan: FaultPlan,
  random: () => number,
  stop: AbortSignal,
): Promise<void> {
  const worldKillsAt = plan.worldKillsAt.toSorted((a, b) => a - b);
  while (!stop.aborted) {
    await delay(plan.everyMs * (0.5 + random()), undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) return;
    const [next] = worldKillsAt;
    if (next !== undefined && next <= Date.now()) {
      worldKillsAt.shift();
      const end = disturbances.begin('world killed');
      await world.killAndRestart();
      end();
    } else if (random() < 0.5) {
      const end = disturbances.begin('function killed');
      world.killFunction(pickFrom(victims, random));
      end();
    } else {
      const end = disturbances.begin('upstream fault');
      const match = { path: pickFrom(operations, random) };
      await simulator(world, 'faults', { match, fault: pickFrom(upstreamFaults, random) });
      await delay(faultMs);
      await simulator(world, 'faults', undefined, 'DELETE');
      end();
    }
  }
}
