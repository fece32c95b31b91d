import { MalformedSecret } from '#shared/adapters/secrets-manager/malformed-secret.ts';
import { MissingAccessToken } from '#shared/adapters/secrets-manager/missing-access-token.ts';
import type { DeadLetters } from '#shared/adapters/sqs/dead-letters.ts';
import type { Limiter } from '#shared/base/limiter.ts';
import { minuteMs } from '#shared/base/time/duration.ts';
import { OutOfTimeError, within } from '#shared/base/time/within.ts';
import type { CallSettings } from '#shared/domain/calls/upstream-call-settings.ts';
import type { ErrorClass } from '#shared/domain/egress/sender.ts';
import { UpstreamError } from '#shared/domain/errors/upstream-error.ts';
import type { DynamicFlow } from '#shared/domain/flow-endpoint/make-exchange.ts';
import type { Registration } from '#shared/domain/flow-keys/register-key.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import type { Target, TargetRecord } from '#shared/domain/subscribers/target.ts';
import type { Handshake } from '../platform/handshake.ts';
import type { KeyUse } from '../platform/key-use.ts';
import type {
  BusinessAccount,
  PlatformFlow,
  PlatformNumber,
  SubscribedApp,
  Subscription,
  TokenInfo,
} from '../platform/objects.ts';
import type { ProvenApp } from '../platform/proven-app.ts';
import { describeFailure } from '../terminal/failures.ts';
import type { Upstream } from '../upstream.ts';

/** Something that doctor read, or the reason why it could not. */
export type Fact<T> = { readonly isKnown: true; readonly value: T } | Unknown;

interface Unknown {
  readonly isKnown: false;
  /** Continues the sentence "unknown, because …". */
  readonly because: string;
  /** The platform's error, if that was the reason. */
  readonly error?: UpstreamError;
  /** Nothing failed: nobody told doctor where to look. */
  readonly isUntold?: true;
  /** A secret was read, and its content has to be stored anew. */
  readonly isMalformed?: true;
}

/** A check needs a fact that is unknown, and cannot conclude anything. */
export class UnknownFact extends Error {
  readonly fact: Unknown;

  constructor(fact: Unknown) {
    super(fact.because);
    this.fact = fact;
  }
}

/** The value of a fact, for a check that can say nothing without it. */
export function known<T>(fact: Fact<T>): T {
  if (!fact.isKnown) throw new UnknownFact(fact);
  return fact.value;
}

/** The value of a fact if it is known. */
export const ifKnown = <T>(fact: Fact<T> | undefined): T | undefined => (fact?.isKnown ? fact.value : undefined);

export const factOf = <T>(value: T): Fact<T> => ({ isKnown: true, value });

export const unknown = (because: string): Unknown => ({ isKnown: false, because });

/** Unknown for want of an option or a variable. */
export const untold = (because: string): Unknown => ({ ...unknown(because), isUntold: true });

/** What tells doctor where everything of a deployment is. */
export const giveStage = 'give --stage <stage>';
export const addressUnknown = `the service's address is not known: ${giveStage}`;

/** No read takes longer. */
const timeoutMs = minuteMs / 2;

/** Reads facts, a few at once. */
export interface Reader {
  /** Reads something; a failure becomes the reason why it is unknown, and so does a fact that is needed and unknown. */
  read<T>(work: () => Promise<T>): Promise<Fact<T>>;
}

export function openReader(limited: Limiter): Reader {
  return {
    async read(work) {
      try {
        return factOf(await limited(() => within(timeoutMs, work())));
      } catch (error) {
        if (error instanceof UnknownFact) return error.fact;
        if (error instanceof MissingAccessToken) return unknown('no access token is stored');
        return {
          ...unknown(reasonOf(error)),
          ...(error instanceof UpstreamError && { error }),
          ...(error instanceof MalformedSecret && { isMalformed: true }),
        };
      }
    },
  };
}

function reasonOf(error: unknown): string {
  if (error instanceof OutOfTimeError) return `it took longer than ${timeoutMs / 1000} seconds`;
  if (!(error instanceof UpstreamError)) return describeFailure(error).replace(/\.$/, '');
  const message = error.message.replace(/\.$/, '');
  const reasons: Readonly<Record<UpstreamError['failure'], string>> = {
    unreachable: 'the platform cannot be reached',
    timeout: 'the platform did not respond',
    'broken-response': 'the platform did not respond properly',
    'rate-limited': 'the platform limits our requests at the moment',
    unavailable: `the platform failed (${message})`,
    credentials: `the platform rejects the request (${message})`,
    rejected: `the platform rejects the request (${message})`,
    forbidden: `the platform rejects the request (${message})`,
  };
  return reasons[error.failure];
}

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
  /** Which code is deployed (null if the stack is too old to say), and which is here. */
  code: Fact<{ deployed: string | null; checkout: string }>;
  deadLetters: Fact<DeadLetters>;
  unknownNumbers: Fact<readonly UnknownNumber[]>;
}

/** A number that the service does not have, but that a signed event named. */
export interface UnknownNumber {
  phoneNumberId: string;
  displayPhoneNumber: string | undefined;
  wabaId: string | undefined;
  /** Epoch milliseconds. */
  at: number;
}

/** One set of credentials: that of the deployment, or a workspace's own. */
export interface CredentialSet {
  subject: string;
  /** The workspace that has these for itself. */
  workspace?: string;
  upstream: Upstream;
}

/** What belongs to a set of credentials and decides what the platform sends. */
export interface AppScope {
  /** Its position among the apps. */
  position: number;
  /** The business accounts whose workspaces use the credentials. */
  wabaIds: readonly string[];
  /** A number of each kind needs the field of its events. */
  hasCalling: boolean;
  hasFlows: boolean;
  /** The webhooks of these workspaces, which may want further fields. */
  webhooks: readonly Pick<TargetRecord, 'url' | 'events'>[];
}

/** Credentials and the app that they belong to. Secrets themselves are not among the facts. */
export interface AppFacts extends AppScope {
  set: CredentialSet;
  subject: string;
  workspace: string | undefined;
  stored: Fact<StoredCredentials>;
  token: Fact<TokenInfo>;
  /** The app whose secret is stored; undefined if it is none of those that are known. */
  secretOwner: Fact<SecretOwner | undefined>;
  /** What the service responds with to the handshake, with the stored verify token. */
  handshake: Fact<Handshake>;
  /** The app's subscription to the events of business accounts; undefined if there is none. */
  subscription: Fact<Subscription | undefined>;
}

export interface StoredCredentials {
  hasAccessToken: boolean;
  appSecrets: number;
  /** Former ones of a workspace that are not the deployment's. */
  formerSecrets: number;
  hasVerifyToken: boolean;
}

export type SecretOwner = Pick<ProvenApp, 'id' | 'name'>;

/** The app whose events we can verify or, if no app fits the secret, the app of the token. */
export const appIdOf = (app: AppFacts | undefined): string | undefined =>
  ifKnown(app?.secretOwner)?.id ?? ifKnown(app?.token)?.app_id;

/** The app to which both the access token and the app secret belong; only what concerns it can be changed safely. */
export function commonAppOf(app: AppFacts | undefined): SecretOwner | undefined {
  const owner = ifKnown(app?.secretOwner);
  return app?.token.isKnown && owner?.id === app.token.value.app_id ? owner : undefined;
}

/** A business account, as one of the credentials sees it. */
export interface AccountFacts {
  wabaId: string;
  subject: string;
  /** A workspace that uses the account. */
  workspace: string;
  /** Some active number of the account, for the commands that need one. */
  number: string | undefined;
  account: Fact<BusinessAccount>;
  subscribedApps: Fact<SubscribedApp[]>;
  /** The share of the calls of Graph that is used, in percent. */
  usage: Fact<number | undefined>;
  /** The position of its credentials among the apps. */
  app: number;
}

export interface NumberFacts {
  number: PhoneNumber;
  subject: string;
  wabaId: string | null;
  /** Whether its workspace permits calls. */
  workspaceCalls: boolean;
  platform: Fact<PlatformNumber>;
  calling: Fact<CallSettings>;
  key: Fact<NumberKey>;
  keyUse: KeyUse;
  /** When the last event arrived (epoch milliseconds), and of which kind it was. */
  lastEvent: Fact<{ at: number; kind: string } | undefined>;
  /** The position of its credentials among the apps. */
  app: number;
}

export interface NumberKey {
  /** How the key that the platform has for the number relates to those of the workspace. */
  registration: Registration;
  /** Whether the workspace has a key to upload. */
  workspaceHasKey: boolean;
}

/** A Flow in use that asks an endpoint for data. */
export interface FlowFacts {
  flow: DynamicFlow;
  subject: string;
  /** Where the platform should send its exchanges; undefined if the address of the service is not known. */
  address: string | undefined;
  platform: Fact<PlatformFlow>;
  ping: Fact<Ping>;
}

/** The response to a ping that went the way of a phone's request. */
export interface Ping {
  /** Of the service, which passes on that of the customer's endpoint; null without a response. */
  status: number | null;
  /** Whether it could be decrypted and says that the endpoint is active. */
  isActive: boolean;
  durationMs: number;
}

/** A webhook of a number or a workspace. */
export interface TargetFacts {
  subscriber: string;
  isWorkspace: boolean;
  subject: string;
  target: Target;
  record: TargetRecord;
  /** Undefined if the target has no URL. */
  connection?: Fact<Connection>;
  /** When a delivery got the status 200 last, in epoch milliseconds. */
  lastSuccess?: Fact<number | undefined>;
}

/** What a connection to the receiver showed. */
export interface Connection {
  /** Why there was none. */
  error?: ErrorClass;
  /** Why TLS rejects the certificate: a code of Node's such as `CERT_HAS_EXPIRED`. */
  reason?: string;
  /** Epoch milliseconds. Absent without TLS. */
  certificate?: { from: number; to: number };
}
