import type { AccountFacts } from './facts/accounts.ts';
import type { AppFacts } from './facts/apps.ts';
import type { DeploymentFacts } from './facts/deployment.ts';
import type { FlowFacts } from './facts/flows.ts';
import type { NumberFacts } from './facts/numbers.ts';
import type { TargetFacts } from './facts/targets.ts';

/** Everything that doctor reads before it judges. */
export interface Facts {
  /** When they were read, in epoch milliseconds. */
  at: number;
  deployment: DeploymentFacts;
  /** One for each set of credentials. */
  apps: readonly AppFacts[];
  accounts: readonly AccountFacts[];
  numbers: readonly NumberFacts[];
  flows: readonly FlowFacts[];
  targets: readonly TargetFacts[];
}
