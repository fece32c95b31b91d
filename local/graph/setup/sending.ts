import type { GraphErrorName } from '../core/graph-errors.ts';
import type { SetupFault, SetupFaults } from './faults.ts';

const ofMessages: readonly (readonly [SetupFault, GraphErrorName])[] = [
  ['account_restricted', 'account_locked'],
  ['account_review_rejected', 'account_locked'],
];

/** A restricted number can only answer contacts (Meta's error code 131048). */
const ofTemplates: typeof ofMessages = [...ofMessages, ['number_restricted', 'spam_limit']];

const ofCalls: typeof ofMessages = [
  ['calls_restricted', 'calling_temporarily_disabled'],
  ['payment_missing', 'payment_issue'],
];

const obstacles = { message: ofMessages, template: ofTemplates, call: ofCalls } as const;

/** Why Graph rejects what a number sends. */
export function sendingObstacle(faults: SetupFaults, sent: keyof typeof obstacles): GraphErrorName | undefined {
  return obstacles[sent].find(([fault]) => faults.has(fault))?.[1];
}
