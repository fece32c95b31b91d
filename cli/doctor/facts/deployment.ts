import type { DeadLetters } from '#shared/adapters/sqs/dead-letters.ts';
import type { Clock } from '#shared/base/time/clock.ts';
import { eventsPath } from '#shared/http/contract/linked-paths.ts';
import type { Upstream } from '../../upstream.ts';
import { type Fact, factOf, read, readFrom, untold } from './fact.ts';

/** What is there once for each deployment. */
export interface DeploymentFacts {
  subject: string;
  /** The address at which the platform should send events; undefined if doctor was not told the service's. */
  callback: string | undefined;
  handshake: Fact<Handshake>;
  /** The platform's clock minus this machine's in milliseconds; undefined if it does not show it. */
  platformOffset: Fact<number | undefined>;
  /** The same of AWS. */
  awsOffset: Fact<number | undefined>;
  code: Fact<CodeVersions>;
  deadLetters: Fact<DeadLetters>;
  unknownNumbers: Fact<readonly UnknownNumber[]>;
}

/** What the service responded with to the handshake of events, which checks the stored verify token. */
export interface Handshake {
  status: number;
  /** Whether it gave back the challenge. */
  isComplete: boolean;
}

export interface CodeVersions {
  deployed: string;
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
  baseUrl?: string | undefined;
  /** Any address of AWS, whose responses have the time. */
  awsUrl?: string | undefined;
  deployedVersion?: string | undefined;
  checkoutVersion: () => string;
  deadLetters?: (() => Promise<DeadLetters>) | undefined;
  unknownNumbers: () => Promise<readonly UnknownNumber[]>;
  now: Clock;
}

const timeoutMs = 10_000;
const giveStage = 'give --stage <stage>';

export async function readDeployment(
  subject: string,
  { baseUrl, awsUrl, deployedVersion, checkoutVersion, deadLetters, unknownNumbers, now }: DeploymentSources,
  { management, credentials }: Upstream,
): Promise<DeploymentFacts> {
  const callback = baseUrl === undefined ? undefined : `${baseUrl}${eventsPath}`;
  const address =
    callback === undefined ? untold(`its address is not known: ${giveStage}, or set BASE_URL`) : factOf(callback);
  const awsAddress = awsUrl === undefined ? untold('no address of AWS is known') : factOf(awsUrl);
  const version = deployedVersion === undefined ? untold(`it is not known: ${giveStage}`) : factOf(deployedVersion);
  const queue = deadLetters === undefined ? untold(`its queue is not known: ${giveStage}`) : factOf(deadLetters);
  const [handshake, platformOffset, awsOffset, code, dead, numbers] = await Promise.all([
    readFrom(address, async (url) => shakeHands(url, (await credentials()).verify_token ?? '')),
    read(() => management.clockOffset()),
    readFrom(awsAddress, (url) => clockOffsetOf(url, now)),
    readFrom(version, async (deployed) => ({ deployed, checkout: checkoutVersion() })),
    readFrom(queue, (count) => count()),
    read(unknownNumbers),
  ]);
  return { subject, callback, handshake, platformOffset, awsOffset, code, deadLetters: dead, unknownNumbers: numbers };
}

/** Asks as the platform does before it accepts an address for events (Meta, "Webhooks: getting started"). */
async function shakeHands(callback: string, verifyToken: string): Promise<Handshake> {
  const challenge = String(Math.floor(Math.random() * 1e9));
  const url = new URL(callback);
  url.search = String(
    new URLSearchParams({ 'hub.mode': 'subscribe', 'hub.challenge': challenge, 'hub.verify_token': verifyToken }),
  );
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) }).catch((error) => {
    const { code, message } = Object(error.cause ?? error);
    throw new Error(`${callback} does not respond from here (${code ?? message})`);
  });
  return { status: response.status, isComplete: response.ok && (await response.text()) === challenge };
}

/** Any response has a date, whatever its status. */
async function clockOffsetOf(url: string, now: Clock): Promise<number | undefined> {
  const sentAt = now();
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
  await response.body?.cancel();
  const date = Date.parse(response.headers.get('date') ?? '');
  // The header has whole seconds, rounded down.
  return Number.isNaN(date) ? undefined : date + 500 - (sentAt + now()) / 2;
}
