import type { DeadLetters } from '#shared/adapters/sqs/dead-letters.ts';
import type { Clock } from '#shared/base/time/clock.ts';
import { clockOffset } from '../platform/clock-offset.ts';
import { endOfVersion, newestVersion, oldestVersion } from '../platform/graph-versions.ts';
import type { Upstream } from '../upstream.ts';
import { type Check, type Context, documented, type Judgement, notice, ok, unknownBecause, wrong } from './check.ts';
import {
  type DeploymentFacts,
  factOf,
  giveStage,
  ifKnown,
  known,
  type Reader,
  type UnknownNumber,
  untold,
} from './facts.ts';
import { day, span } from './words.ts';

/** Where doctor finds what is not in the table or on the platform. What is absent could not be found. */
export interface DeploymentSources {
  callback: string | undefined;
  /** Any address of AWS, whose responses have the time. */
  awsUrl?: string | undefined;
  /** Null if the stack is too old to say. */
  deployedVersion?: string | null | undefined;
  checkoutVersion: () => string;
  deadLetters?: (() => Promise<DeadLetters>) | undefined;
  unknownNumbers: () => Promise<readonly UnknownNumber[]>;
  now: Clock;
}

export async function readDeployment(
  subject: string,
  { callback, awsUrl, deployedVersion, checkoutVersion, deadLetters, unknownNumbers, now }: DeploymentSources,
  { management, graphVersion }: Upstream,
  { read }: Reader,
): Promise<DeploymentFacts> {
  const noQueue =
    deployedVersion === null ? 'the stack is older than this checkout' : `its queue is not known: ${giveStage}`;
  const [platformOffset, awsOffset, dead, numbers] = await Promise.all([
    read(() => management.clockOffset()),
    awsUrl === undefined ? untold('no address of AWS is known') : read(() => clockOffsetOf(awsUrl, now)),
    deadLetters === undefined ? untold(noQueue) : read(deadLetters),
    read(unknownNumbers),
  ]);
  return {
    ...{ subject, callback, graphVersion, platformOffset, awsOffset, deadLetters: dead, unknownNumbers: numbers },
    code:
      deployedVersion === undefined
        ? untold(`it is not known: ${giveStage}`)
        : factOf({ deployed: deployedVersion, checkout: checkoutVersion() }),
  };
}

/** Any response has a date, whatever its status. */
async function clockOffsetOf(url: string, now: Clock): Promise<number | undefined> {
  const sentAt = now();
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(10_000) });
  await response.body?.cancel();
  return clockOffset(response.headers.get('date'), sentAt, now());
}

/** From this difference on, a clock counts as wrong. AWS and receivers of signed notifications tolerate five minutes. */
export const clockToleranceMs = 30_000;

export const deploymentChecks = {
  platform: {
    title: 'WhatsApp platform',
    says: 'it cannot be reached from this machine, or limits our requests',
    remedy: 'check network and proxy; after a limit, wait and run doctor again',
    judge({ platformOffset }, { all: { apps, accounts } }) {
      if (!platformOffset.isKnown) {
        return wrong(
          `Seen from here, ${platformOffset.because}. Check the network, the proxy and https://metastatus.com.`,
        );
      }
      const isLimited =
        apps.some(({ token }) => !token.isKnown && token.error?.failure === 'rate-limited') ||
        accounts.some(({ usage }) => (ifKnown(usage) ?? 0) >= 100);
      return isLimited
        ? wrong(
            'It limits our requests at the moment, so little can be checked. Wait some minutes, and run doctor again.',
          )
        : ok('it responds');
    },
  },
  clock: {
    title: 'clock',
    says: 'this machine, AWS and the platform differ by 30 seconds or more',
    remedy: 'set the clock of the machine that is named',
    judge({ platformOffset, awsOffset }) {
      const [platform, aws] = [ifKnown(platformOffset) ?? 0, ifKnown(awsOffset) ?? 0];
      const isOff = (offset: number) => Math.abs(offset) >= clockToleranceMs;
      const off = (ms: number) => `${span(Math.abs(ms))} ${ms > 0 ? 'ahead' : 'behind'}`;
      if (isOff(platform) && isOff(aws)) {
        return wrong(`The clock of this machine is ${off(-aws)}, compared with AWS and the platform. Set it.`);
      }
      if (isOff(aws)) return wrong(`The clock of AWS is ${off(aws)}, compared with this machine. Set this machine's.`);
      if (isOff(platform)) {
        return wrong(
          `The clock of the platform is ${off(platform)}, compared with this machine: a proxy may serve old responses. ` +
            'What depends on time, such as the end of a token, is then wrong.',
        );
      }
      if (known(platformOffset) === undefined) return unknownBecause('the platform does not show the time');
      return ok(`this machine${awsOffset.isKnown ? ', AWS' : ''} and the platform agree`);
    },
  },
  'graph-version': {
    title: 'version of Graph',
    says: 'Meta has ended the version of Graph that the service uses, or ends it within half a year',
    remedy: 'the setting [`graphVersion`](deploying.md#versions-of-the-graph-api), and a deployment',
    judge: ({ graphVersion }, { all }) => judgeGraphVersion(graphVersion, all.at),
  },
  'code-version': {
    title: 'deployed code',
    says: 'the stack runs other code than this checkout has',
    remedy: '`./messaging deploy --stage STAGE`, or check out what is deployed',
    judge({ code }, { deploy }) {
      const { deployed, checkout } = known(code);
      if (deployed === checkout) return ok('it is the code of this checkout');
      const [there, here] = [deployed, checkout].map((version) => version?.slice(0, 12));
      const what =
        deployed === null
          ? 'The stack is older than this checkout.'
          : `The service runs other code (${there}) than this checkout has (${here}).`;
      return wrong(`${what} To deploy the checkout:`, { command: deploy });
    },
  },
  'dead-letters': {
    title: 'dead letters',
    says: 'notifications failed twenty times because of a fault of the service',
    remedy: '[find out why, then redrive](#dead-letters)',
    judge({ deadLetters }, { aws }) {
      const { count, queueArn } = known(deadLetters);
      if (count === 0) return ok('there are none');
      return wrong(
        `${count} ${count === 1 ? 'notification' : 'notifications'} failed twenty times because of a fault of the ` +
          'service, to be lost after 14 days. First find out why: docs/operating.md, "Dead letters". Then:',
        { command: aws(`sqs start-message-move-task --source-arn ${queueArn}`) },
      );
    },
  },
  'unknown-numbers': {
    title: 'unknown numbers',
    says: 'signed events name numbers that the service does not have',
    remedy: `if the number should be here: ${documented('number create --workspace WORKSPACE --phone-number-id ID --display-phone-number "+1 555 0100"')}`,
    judge({ unknownNumbers }, context) {
      const numbers = known(unknownNumbers);
      if (numbers.length === 0) return ok('no event named a number that is not here');
      return numbers.map((number) => judgeUnknownNumber(number, context));
    },
  },
} as const satisfies Record<string, Check<DeploymentFacts>>;

function judgeUnknownNumber(
  { phoneNumberId, displayPhoneNumber, wabaId, at }: UnknownNumber,
  { all: { accounts }, hint }: Context,
): Judgement {
  const workspace = accounts.find((account) => account.wabaId === wabaId)?.workspace;
  const typed = displayPhoneNumber ?? 'NUMBER';
  const what =
    `An event of ${day(at)} is for ${displayPhoneNumber ?? phoneNumberId} (phone number id ${phoneNumberId}, business ` +
    `account ${wabaId ?? 'unknown'}), which the service does not have.`;
  return workspace === undefined
    ? notice(`${what} No workspace that doctor looked at has this account. To see all workspaces:`, {
        command: hint`workspace list`,
      })
    : notice(`${what} If it should be here:`, {
        command: hint`number create --workspace ${workspace} --phone-number-id ${phoneNumberId} --display-phone-number ${typed}`,
      });
}

/** So long before its end a version is worth changing. */
const noticeMs = 180 * 86_400_000;

/** @param now epoch milliseconds */
export function judgeGraphVersion(graphVersion: string, now: number): Judgement {
  const end = endOfVersion[graphVersion];
  const choose = `Choose one up to ${newestVersion} with the setting graphVersion, and deploy.`;
  const majorOf = (version: string) => Number(/^v(\d+)/.exec(version)?.[1]);
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
