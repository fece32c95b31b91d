import { checkAccount } from './checks/accounts.ts';
import { checkApp } from './checks/apps.ts';
import { checkDeployment } from './checks/deployment.ts';
import { checkFlow } from './checks/flows.ts';
import { checkNumber } from './checks/numbers.ts';
import { checkTarget } from './checks/targets.ts';
import type { Facts } from './facts.ts';
import type { Commands, Finding } from './finding.ts';

/** Everything that the facts say, in the order of subjects. */
export function judgeFacts(facts: Facts, commands: Commands): Finding[] {
  const { apps, accounts, numbers, flows, targets } = facts;
  return [
    ...checkDeployment(facts, commands),
    ...apps.flatMap((app, position) => checkApp(app, position, facts, commands)),
    ...accounts.flatMap((account) => checkAccount(account, facts, commands)),
    ...numbers.flatMap((number) => checkNumber(number, facts, commands)),
    ...flows.flatMap(checkFlow),
    ...targets.flatMap((target) => checkTarget(target, facts)),
  ];
}
