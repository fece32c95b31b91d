import { accountChecks } from './accounts.ts';
import { appChecks } from './apps.ts';
import { type Commands, type Finding, findingsOf } from './check.ts';
import { deploymentChecks } from './deployment.ts';
import type { Facts } from './facts.ts';
import { flowChecks } from './flows.ts';
import { numberChecks } from './numbers.ts';
import { targetChecks } from './targets.ts';

/** Every check by its name, in the order in which doctor shows them. */
export const checks = {
  ...deploymentChecks,
  ...appChecks,
  ...accountChecks,
  ...numberChecks,
  ...flowChecks,
  ...targetChecks,
};

export type CheckName = keyof typeof checks;

/** Everything that the facts say, in the order of subjects. */
export function judgeFacts(all: Facts, commands: Commands): Finding[] {
  const context = { ...commands, all };
  return [
    ...findingsOf(deploymentChecks, all.deployment, context),
    ...all.apps.flatMap((app) => findingsOf(appChecks, app, context)),
    ...all.accounts.flatMap((account) => findingsOf(accountChecks, account, context)),
    ...all.numbers.flatMap((number) => findingsOf(numberChecks, number, context)),
    ...all.flows.flatMap((flow) => findingsOf(flowChecks, flow, context)),
    ...all.targets.flatMap((target) => findingsOf(targetChecks, target, context)),
  ];
}
