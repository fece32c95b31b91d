import { RemovalPolicy } from 'aws-cdk-lib';
import { Architecture } from 'aws-cdk-lib/aws-lambda';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Traffic } from '#shared/http/contract/contract.ts';
import { defaultUpstream } from '#shared/runtime/variables.ts';

/** Limits of the request rate (per second) and of bursts. */
interface Throttling {
  rateLimit: number;
  burstLimit: number;
}

interface TrafficLimits {
  /** Limits for the traffic's routes. If absent, the stage's limits apply. */
  throttling?: Throttling;
  /**
   * Concurrent executions: reserved for this traffic, and its upper limit. If absent, it shares the account's
   * concurrency.
   */
  concurrency?: number;
}

const stages = {
  dev: {
    removalPolicy: RemovalPolicy.DESTROY,
    deletionProtection: false,
    logRetention: RetentionDays.ONE_WEEK,
    throttling: { rateLimit: 50, burstLimit: 100 },
    reservesConcurrency: false,
    existing: {},
    limits: {
      events: { throttling: { rateLimit: 100, burstLimit: 200 }, concurrency: 20 },
      deliveries: { concurrency: 30, slowConcurrency: 10 },
      exchanges: { throttling: { rateLimit: 50, burstLimit: 100 }, concurrency: 20 },
      'preview-exchanges': { throttling: { rateLimit: 10, burstLimit: 20 }, concurrency: 5 },
      unlocks: { throttling: { rateLimit: 5, burstLimit: 10 } },
    },
  },
  prod: {
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    deletionProtection: true,
    logRetention: RetentionDays.THREE_MONTHS,
    throttling: { rateLimit: 1_000, burstLimit: 2_000 },
    reservesConcurrency: true,
    existing: {},
    limits: {
      events: { throttling: { rateLimit: 2_000, burstLimit: 4_000 }, concurrency: 200 },
      deliveries: { concurrency: 180, slowConcurrency: 20 },
      exchanges: { throttling: { rateLimit: 500, burstLimit: 1_000 }, concurrency: 100 },
      'preview-exchanges': { throttling: { rateLimit: 20, burstLimit: 40 }, concurrency: 20 },
      unlocks: { throttling: { rateLimit: 10, burstLimit: 20 } },
    },
  },
} as const satisfies Record<string, StageConfig>;

/** The settings of a deployer: per command with `-c name=value`, or permanently in the context of `cdk.json`. */
const settings = {
  stage: { pattern: /^(dev|prod)$/, expected: 'dev or prod' },
  architecture: { pattern: /^(arm64|x86_64)$/, expected: 'arm64 or x86_64' },
  baseUrl: { pattern: /^https:\/\/[^\s/?#]+$/, expected: 'an https:// address without a path' },
  alarmEmail: { pattern: /^[^\s@]+@[^\s@]+$/, expected: 'an e-mail address' },
  graphVersion: { pattern: /^v\d+\.\d+$/, expected: 'a version such as v25.0' },
  upstreamBaseUrl: { pattern: /^https:\/\/[^\s/?#]+$/, expected: 'an https:// address without a path' },
  mediaHosts: { pattern: /^[a-z\d.-]+(,[a-z\d.-]+)*$/, expected: 'domain names with commas between them' },
  reservedConcurrency: { pattern: /^(on|off)$/, expected: 'on or off' },
  existingTable: { pattern: /^[\w.-]{3,255}$/, expected: 'the name of a table' },
  existingSecret: { pattern: /^[\w/+=.@-]{1,512}$/, expected: 'the name of a secret' },
  samLocal: { pattern: /^(true|false)$/, expected: 'true or false' },
} as const;

type SettingName = keyof typeof settings;

/** The deployer chose an unknown setting or an invalid value. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

interface StageConfig {
  /**
   * What happens to the data when the stack is deleted. If the first deployment rolls back, its data is deleted in any
   * case, except for a protected table.
   */
  removalPolicy: RemovalPolicy;
  /** Protects the table and the stack. */
  deletionProtection: boolean;
  logRetention: RetentionDays;
  /**
   * The limits of all routes that have none of their own. We assume that they share these; AWS does not say whether
   * each route has them for itself.
   */
  throttling: Throttling;
  /** Reserves the concurrency in `limits`. An account with a small quota rejects such reservations. */
  reservesConcurrency: boolean;
  /**
   * The concurrency of deliveries applies even without a reservation, because the queues pass on no more batches in
   * parallel. A part of it is for slow targets, and only for them.
   */
  limits: Readonly<Record<Traffic, TrafficLimits> & { deliveries: { concurrency: number; slowConcurrency: number } }>;
  /** What the stack uses instead of creating its own. A setting replaces it for one deployment. */
  existing: Existing;
}

/** The names of resources with data from an earlier stack or from a backup. */
interface Existing {
  readonly table?: string | undefined;
  /** The upstream's credentials. */
  readonly secret?: string | undefined;
}

/** One deployment of the service. */
export interface Config extends StageConfig {
  stage: keyof typeof stages;
  architecture: Architecture;
  /** Milliseconds for one whole attempt to deliver a notification. */
  deliveryTimeoutMs: number;
  /** The deployer's custom domain for the API. If absent, the API's own address is used. */
  baseUrl: string | undefined;
  /** The recipient of alarm mails. */
  alarmEmail: string | undefined;
  upstream: {
    /** Address without the version. */
    baseUrl: string;
    graphVersion: string;
    mediaHosts: string;
    /** Milliseconds for one call. */
    timeoutMs: number;
  };
  /** Names in Secrets Manager. */
  secretNames: {
    upstream: string;
    /** Prefix of the names of the secrets with Flow keys. Each workspace has one secret. */
    flowKeys: string;
    /** Prefix of the names of the secrets with credentials of workspaces. */
    ownCredentials: string;
  };
  /**
   * Declares the AWS endpoints in the functions' environment, because `sam local` passes on only declared variables.
   */
  declaresAwsEndpoints: boolean;
}

/**
 * Whether a context entry has a name like our settings. The CDK stores entries of its own there, whose names contain
 * other characters: `@aws-cdk/…`, `acknowledged-issue-numbers`.
 */
const isShapedLikeOurs = (name: string) => /^[A-Za-z0-9]+$/.test(name);

/**
 * Reads the configuration of a deployment from the CDK context.
 *
 * @throws SettingError for the first setting that is unknown or has an invalid value.
 */
export function readConfig(context: Readonly<Record<string, unknown>>): Config {
  const unknown = Object.keys(context).find((name) => !Object.hasOwn(settings, name) && isShapedLikeOurs(name));
  if (unknown !== undefined) {
    throw new SettingError(`There is no setting ${unknown}. There are ${Object.keys(settings).join(', ')}.`);
  }
  const read = (name: SettingName): string | undefined => {
    const value = context[name];
    if (value === undefined) return undefined;
    const { pattern, expected } = settings[name];
    if (!pattern.test(String(value))) throw new SettingError(`The setting ${name} must be ${expected}, not "${value}"`);
    return String(value);
  };

  const stage = read('stage') === 'prod' ? 'prod' : 'dev';
  const kept: Existing = stages[stage].existing;
  const existing: Existing = {
    table: read('existingTable') ?? kept.table,
    secret: read('existingSecret') ?? kept.secret,
  };
  const upstreamSecret = existing.secret ?? `messaging/${stage}/upstream`;
  const besideIt = upstreamSecret.replace(/[^/]*$/, '');
  return {
    stage,
    ...stages[stage],
    existing,
    reservesConcurrency: (read('reservedConcurrency') ?? (stages[stage].reservesConcurrency ? 'on' : 'off')) === 'on',
    architecture: read('architecture') === 'x86_64' ? Architecture.X86_64 : Architecture.ARM_64,
    deliveryTimeoutMs: 10_000,
    baseUrl: read('baseUrl'),
    alarmEmail: read('alarmEmail'),
    upstream: {
      baseUrl: read('upstreamBaseUrl') ?? defaultUpstream.baseUrl,
      graphVersion: read('graphVersion') ?? defaultUpstream.graphVersion,
      mediaHosts: read('mediaHosts') ?? defaultUpstream.mediaHosts,
      timeoutMs: 8_000,
    },
    secretNames: {
      upstream: upstreamSecret,
      flowKeys: `${besideIt}flow-keys/`,
      ownCredentials: `${besideIt}credentials/`,
    },
    declaresAwsEndpoints: read('samLocal') === 'true',
  };
}
