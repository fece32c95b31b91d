import { endOfVersion, newestVersion, oldestVersion } from '../../platform/graph-versions.ts';
import type { Hint } from '../../terminal/hints.ts';
import type { DeploymentFacts, UnknownNumber } from '../facts/deployment.ts';
import type { Facts } from '../facts.ts';
import {
  type Commands,
  type Finding,
  finding,
  type Judgement,
  judge,
  notice,
  ok,
  unknownBecause,
  wrong,
} from '../finding.ts';
import { day, span } from '../words.ts';

/** From this difference on, a clock counts as wrong. AWS and receivers of signed notifications tolerate five minutes. */
export const clockToleranceMs = 30_000;

export function checkDeployment({ at, deployment, apps, accounts }: Facts, { hint, aws, deploy }: Commands): Finding[] {
  const { subject, code, deadLetters, unknownNumbers } = deployment;
  return [
    finding('platform', subject, judgePlatform(deployment, apps, accounts)),
    finding('clock', subject, judgeClock(deployment)),
    finding('graph-version', subject, judgeGraphVersion(deployment.graphVersion, at)),
    judge('code-version', subject, code, ({ deployed, checkout }) => {
      if (deployed === checkout) return ok('it is the code of this checkout');
      const what =
        deployed === null
          ? 'The stack is older than this checkout.'
          : `The service runs other code (${short(deployed)}) than this checkout has (${short(checkout)}).`;
      return wrong(`${what} To deploy the checkout:`, { command: deploy });
    }),
    judge('dead-letters', subject, deadLetters, ({ count, queueArn }) =>
      count === 0
        ? ok('there are none')
        : wrong(
            `${count} ${count === 1 ? 'notification' : 'notifications'} failed twenty times because of a fault of the ` +
              'service, to be lost after 14 days. First find out why: docs/operating.md, "Dead letters". Then:',
            { command: aws(`sqs start-message-move-task --source-arn ${queueArn}`) },
          ),
    ),
    ...(unknownNumbers.isKnown && unknownNumbers.value.length > 0
      ? unknownNumbers.value.map((number) =>
          finding('unknown-numbers', subject, judgeUnknownNumber(number, accounts, hint)),
        )
      : [judge('unknown-numbers', subject, unknownNumbers, () => ok('no event named a number that is not here'))]),
  ];
}

function judgeUnknownNumber(
  { phoneNumberId, displayPhoneNumber, wabaId, at }: UnknownNumber,
  accounts: Facts['accounts'],
  hint: Hint,
): Judgement {
  const workspace = accounts.find((account) => account.wabaId === wabaId)?.workspace;
  const shown = displayPhoneNumber ?? phoneNumberId;
  const what =
    `An event of ${day(at)} is for ${shown} (phone number id ${phoneNumberId}, business account ${wabaId ?? 'unknown'}), ` +
    'which the service does not have.';
  if (workspace === undefined) {
    return notice(`${what} No workspace that doctor looked at has this account. To see all workspaces:`, {
      command: hint`workspace list`,
    });
  }
  const typed = displayPhoneNumber ?? 'NUMBER';
  return notice(`${what} If it should be here:`, {
    command: hint`number create --workspace ${workspace} --phone-number-id ${phoneNumberId} --display-phone-number ${typed}`,
  });
}

function judgePlatform(
  { platformOffset }: DeploymentFacts,
  apps: Facts['apps'],
  accounts: Facts['accounts'],
): Judgement {
  if (!platformOffset.isKnown) {
    return wrong(`Seen from here, ${platformOffset.because}. Check the network, the proxy and https://metastatus.com.`);
  }
  const isLimited =
    apps.some(({ token }) => !token.isKnown && token.error?.failure === 'rate-limited') ||
    accounts.some(({ usage }) => usage.isKnown && (usage.value ?? 0) >= 100);
  return isLimited
    ? wrong('It limits our requests at the moment, so little can be checked. Wait some minutes, and run doctor again.')
    : ok('it responds');
}

function judgeClock({ platformOffset, awsOffset }: DeploymentFacts): Judgement {
  const platform = platformOffset.isKnown ? platformOffset.value : undefined;
  const aws = awsOffset.isKnown ? awsOffset.value : undefined;
  const isOff = (offset: number | undefined) => offset !== undefined && Math.abs(offset) >= clockToleranceMs;
  if (isOff(platform) && isOff(aws)) {
    return wrong(`The clock of this machine is ${off(-Number(aws))}, compared with AWS and the platform. Set it.`);
  }
  if (isOff(aws))
    return wrong(`The clock of AWS is ${off(Number(aws))}, compared with this machine. Set this machine's.`);
  if (isOff(platform)) {
    return wrong(
      `The clock of the platform is ${off(Number(platform))}, compared with this machine${aws === undefined ? '' : ' and AWS'}: ` +
        'a proxy may serve old responses. What depends on time, such as the end of a token, is then wrong.',
    );
  }
  if (!platformOffset.isKnown) return unknownBecause(platformOffset.because);
  if (platform === undefined) return unknownBecause('the platform does not show the time');
  return ok(aws === undefined ? 'this machine and the platform agree' : 'this machine, AWS and the platform agree');
}

/** So long before its end a version is worth changing. */
const noticeMs = 180 * 86_400_000;

/** @param now epoch milliseconds */
export function judgeGraphVersion(graphVersion: string, now: number): Judgement {
  const end = endOfVersion[graphVersion];
  const choose = `Choose one up to ${newestVersion} with the setting graphVersion, and deploy.`;
  if (end === undefined) {
    return majorOf(graphVersion) < majorOf(oldestVersion)
      ? wrong(`Meta has ended ${graphVersion} of Graph. ${choose}`)
      : ok(`${graphVersion}, for which Meta has named no end`);
  }
  const left = Date.parse(end) - now;
  if (left <= 0) return wrong(`Meta has ended ${graphVersion} of Graph on ${end}. ${choose}`);
  if (left < noticeMs) return notice(`Meta ends ${graphVersion} of Graph on ${end}. ${choose}`);
  return ok(`${graphVersion}, which Meta ends on ${end}`);
}

const majorOf = (version: string) => Number(/^v(\d+)/.exec(version)?.[1]);

const off = (ms: number) => `${span(Math.abs(ms))} ${ms > 0 ? 'ahead' : 'behind'}`;

const short = (version: string) => version.slice(0, 12);
