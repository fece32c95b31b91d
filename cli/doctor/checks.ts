import { accountChecks } from './account-checks.ts';
import { appChecks } from './app-checks.ts';
import { type Context, type Finding, findingsOf } from './check.ts';
import { deploymentChecks } from './deployment-checks.ts';
import { flowChecks } from './flow-checks.ts';
import { numberChecks } from './number-checks.ts';
import type { Subjects } from './subjects.ts';
import { targetChecks } from './target-checks.ts';

/** The name of a check. */
export type CheckName =
  | keyof typeof deploymentChecks
  | keyof typeof appChecks
  | keyof typeof accountChecks
  | keyof typeof numberChecks
  | keyof typeof flowChecks
  | keyof typeof targetChecks;

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
