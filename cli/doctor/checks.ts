import { accountChecks } from './accounts.ts';
import { appChecks } from './apps.ts';
import { type Context, type Finding, findingsOf } from './check.ts';
import { deploymentChecks } from './deployment.ts';
import { flowChecks } from './flows.ts';
import { numberChecks } from './numbers.ts';
import type { Subjects } from './subjects.ts';
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

/** Everything that doctor finds, in the order of subjects. */
export async function judgeAll(subjects: Subjects, context: Context): Promise<Finding[]> {
  const { deployment, apps, accounts, numbers, flows, targets } = subjects;
  const findings = await Promise.all([
    findingsOf(deploymentChecks, deployment, context),
    ...apps.map((app) => findingsOf(appChecks, app, context)),
    ...accounts.map((account) => findingsOf(accountChecks, account, context)),
    ...numbers.map((number) => findingsOf(numberChecks, number, context)),
    ...flows.map((flow) => findingsOf(flowChecks, flow, context)),
    ...targets.map((target) => findingsOf(targetChecks, target, context)),
  ]);
  return findings.flat();
}
