import { codeVersion } from '#infra/code-version.ts';
import { dayMs } from '#shared/base/time.ts';
import { type Check, day, type Judgement, notice, ok, plural, span, unknownBecause, wrong } from './check.ts';
import { Unknown } from './reads.ts';
import type { DeploymentSubject } from './subjects.ts';

/** From this difference on, a clock counts as wrong. AWS and receivers of signed notifications tolerate five minutes. */
const clockToleranceMs = 30_000;

export const deploymentChecks = {
  async platform({ clockOffset }) {
    try {
      await clockOffset();
      return ok('it responds');
    } catch (error) {
      if (!(error instanceof Unknown)) throw error;
      return wrong(`Seen from here, ${error.message}. Check the network, the proxy and https://metastatus.com.`);
    }
  },
  async clock({ clockOffset }) {
    const offset = await clockOffset();
    if (offset === undefined) return unknownBecause('the platform does not show the time');
    if (Math.abs(offset) < clockToleranceMs) return ok('this machine and the platform agree');
    const difference = `${span(Math.abs(offset))} ${offset > 0 ? 'behind' : 'ahead'}`;
    return wrong(`The clock of this machine is ${difference}, compared with the platform. Set it.`);
  },
  'graph-version': ({ graphVersion }, { now }) => judgeGraphVersion(graphVersion, now()),
  'code-version'({ surroundings }) {
    const { codeVersion: deployed, deployCommand: command } = surroundings;
    if (deployed === undefined || command === undefined) return [];
    const here = codeVersion();
    if (deployed === here) return ok('it is the code of this checkout');
    const [there, ours] = [deployed.slice(0, 12), here.slice(0, 12)];
    return wrong(`The service runs other code (${there}) than this checkout has (${ours}). To deploy it:`, {
      command,
    });
  },
  async 'dead-letters'({ deadLetters, surroundings: { awsCommand = 'aws' } }) {
    if (deadLetters === undefined) return [];
    const { count, queueArn } = await deadLetters();
    if (count === 0) return ok('there are none');
    const what = `${plural(count, 'notification')} failed twenty times because of a fault of the service.`;
    return wrong(`${what} First find out why: docs/operating.md, "Dead letters". Then:`, {
      command: `${awsCommand} sqs start-message-move-task --source-arn ${queueArn}`,
    });
  },
  async 'unknown-numbers'({ unknownNumbers, scopes }, { hint }) {
    const numbers = await unknownNumbers();
    if (numbers.length === 0) return ok('no event named a number that is not here');
    return numbers.map(({ phone_number_id: id, display_phone_number: shown, waba_id, last_event_at: at }) => {
      const owner = scopes.find(({ workspace }) => waba_id !== null && workspace.waba_id === waba_id)?.workspace.id;
      const ids = `phone number id ${id}, business account ${waba_id ?? 'unknown'}`;
      const what = `An event of ${day(at)} is for ${shown ?? id} (${ids}), which the service does not have.`;
      if (owner === undefined) {
        return notice(`${what} No workspace here has the account. To see all:`, { command: hint`workspace list` });
      }
      const name = shown ?? 'NUMBER';
      const command = hint`number create --workspace ${owner} --phone-number-id ${id} --display-phone-number ${name}`;
      return notice(`${what} If it should be here:`, { command });
    });
  },
} as const satisfies Record<string, Check<DeploymentSubject>>;

/** The newest version of Graph (Meta, "Graph API changelog", 2026-10-29). */
const newestVersion = 'v27.0';

/** When versions end: those that Graph then still had, and of which Meta had named the end. */
const endOfVersion: Readonly<Record<string, string>> = {
  'v21.0': '2027-01-21',
  'v22.0': '2027-05-20',
  'v23.0': '2027-10-08',
  'v24.0': '2028-02-18',
  'v25.0': '2028-07-29',
};

/** So long before its end a version is worth changing. */
const noticeMs = 180 * dayMs;

/** @param now epoch milliseconds */
export function judgeGraphVersion(version: string, now: number): Judgement {
  const end = endOfVersion[version];
  const choose = `Choose one up to ${newestVersion} with the setting graphVersion, and deploy.`;
  const numberOf = (each: string) => Number(each.slice(1));
  const isGone = Object.keys(endOfVersion).every((each) => numberOf(version) < numberOf(each));
  if (isGone) return wrong(`Meta has ended ${version} of Graph. ${choose}`);
  if (end === undefined) return ok(`${version}, for which Meta has named no end`);
  const left = Date.parse(end) - now;
  if (left <= 0) return wrong(`Meta has ended ${version} of Graph on ${end}. ${choose}`);
  if (left < noticeMs) return notice(`Meta ends ${version} of Graph on ${end}. ${choose}`);
  return ok(`${version}, which Meta ends on ${end}`);
}
