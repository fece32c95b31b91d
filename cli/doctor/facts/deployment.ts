import type { DeadLetters } from '#shared/adapters/sqs/dead-letters.ts';
import type { Clock } from '#shared/base/time/clock.ts';
import { clockOffset } from '../../platform/clock-offset.ts';
import type { Upstream } from '../../upstream.ts';
import { type Fact, factOf, giveStage, type Reader, untold } from './fact.ts';

/** What is there once for each deployment. */
export interface DeploymentFacts {
  subject: string;
  /** The address at which the platform should send events; undefined if doctor was not told the service's. */
  callback: string | undefined;
  /** The version of Graph that the service uses. */
  graphVersion: string;
  /** The platform's clock minus this machine's in milliseconds; undefined if it does not show it. */
  platformOffset: Fact<number | undefined>;
  /** The same of AWS. */
  awsOffset: Fact<number | undefined>;
  code: Fact<CodeVersions>;
  deadLetters: Fact<DeadLetters>;
  unknownNumbers: Fact<readonly UnknownNumber[]>;
}

export interface CodeVersions {
  /** Null if the stack is too old to say. */
  deployed: string | null;
  checkout: string;
}

/** A number that the service does not have, but that a signed event named. */
export interface UnknownNumber {
  phoneNumberId: string;
  displayPhoneNumber: string | undefined;
  wabaId: string | undefined;
  /** Epoch milliseconds. */
  at: number;
}

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

const timeoutMs = 10_000;

export async function readDeployment(
  subject: string,
  { callback, awsUrl, deployedVersion, checkoutVersion, deadLetters, unknownNumbers, now }: DeploymentSources,
  { management, graphVersion }: Upstream,
  { read, readFrom }: Reader,
): Promise<DeploymentFacts> {
  const awsAddress = awsUrl === undefined ? untold('no address of AWS is known') : factOf(awsUrl);
  const version = deployedVersion === undefined ? untold(`it is not known: ${giveStage}`) : factOf(deployedVersion);
  const noQueue =
    deployedVersion === null ? 'the stack is older than this checkout' : `its queue is not known: ${giveStage}`;
  const queue = deadLetters === undefined ? untold(noQueue) : factOf(deadLetters);
  const [platformOffset, awsOffset, code, dead, numbers] = await Promise.all([
    read(() => management.clockOffset()),
    readFrom(awsAddress, (url) => clockOffsetOf(url, now)),
    readFrom(version, async (deployed) => ({ deployed, checkout: checkoutVersion() })),
    readFrom(queue, (count) => count()),
    read(unknownNumbers),
  ]);
  return {
    subject,
    callback,
    graphVersion,
    platformOffset,
    awsOffset,
    code,
    deadLetters: dead,
    unknownNumbers: numbers,
  };
}

/** Any response has a date, whatever its status. */
async function clockOffsetOf(url: string, now: Clock): Promise<number | undefined> {
  const sentAt = now();
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
  await response.body?.cancel();
  return clockOffset(response.headers.get('date'), sentAt, now());
}
