import type { Random } from './random.ts';

/**
 * What may happen to a call of a process:
 *
 * - `slow`: carried out and answered seconds later
 * - `repeated`: not carried out at first; the client repeats it
 * - `doubled`: carried out, but the response is lost; the client repeats it
 * - `fails-before`: fails without having been carried out
 * - `fails-after`: is carried out, but fails all the same
 * - `fails-late`: fails, and is carried out some seconds later
 * - `throttled`: is rejected, as often as the client tries
 * - `dies-before`, `dies-after`: its process ends there
 */
export const faultKinds = [
  'slow',
  'repeated',
  'doubled',
  'fails-before',
  'fails-after',
  'fails-late',
  'throttled',
  'dies-before',
  'dies-after',
] as const;

export type Fault = (typeof faultKinds)[number];

/** Decides for each call of the simulation, in order, what happens to it. */
export type FaultPlan = (call: { process: string; action: string }) => Fault | undefined;

export const noFaults: FaultPlan = () => undefined;

/**
 * Random faults, as often as `rates` says. By default, faults that do harm are as likely as those that only take time.
 */
export function randomFaults(random: Random, rate: number): FaultPlan {
  return () => (random.chance(rate) ? random.pick(faultKinds) : undefined);
}

/** One fault, at the call with this number. */
export function singleFault(at: number, fault: Fault): FaultPlan {
  let count = 0;
  return () => (count++ === at ? fault : undefined);
}
