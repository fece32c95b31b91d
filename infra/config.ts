import { RemovalPolicy } from 'aws-cdk-lib';
import { Architecture } from 'aws-cdk-lib/aws-lambda';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { callTimeoutMs } from '#shared/base/time-limits.ts';
import type { Traffic } from '#shared/operations/contract.ts';
import { defaultUpstream } from '#shared/operations/stage.ts';
import { readSettings, type Settings } from './settings.ts';

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

/**
 * The stages whose configuration is fixed. Every other stage is configured as `dev`, unless it has an entry here or the
 * setting `like` names another one.
 */
const stages: Readonly<{ dev: StageConfig; prod: StageConfig } & Record<string, StageConfig | undefined>> = {
  dev: {
    removalPolicy: RemovalPolicy.DESTROY,
    deletionProtection: false,
    logRetention: RetentionDays.ONE_WEEK,
    throttling: { rateLimit: 50, burstLimit: 100 },
    reservesConcurrency: false,
    existing: {},
    limits: {
      events: { throttling: { rateLimit: 100, burstLimit: 200 }, concurrency: 20 },
      deliveries: { concurrency: 30 },
      exchanges: { throttling: { rateLimit: 50, burstLimit: 100 }, concurrency: 20 },
      'preview-exchanges': { throttling: { rateLimit: 10, burstLimit: 20 }, concurrency: 5 },
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
      deliveries: { concurrency: 180 },
      exchanges: { throttling: { rateLimit: 500, burstLimit: 1_000 }, concurrency: 100 },
      'preview-exchanges': { throttling: { rateLimit: 20, burstLimit: 40 }, concurrency: 20 },
    },
  },
};

/** The deployer chose an unknown setting or an invalid value. The message has a line for each. */
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
   * The concurrency of deliveries applies even without a reservation, because the queue passes on no more batches in
   * parallel.
   */
  limits: Readonly<Record<Traffic, TrafficLimits> & { deliveries: { concurrency: number } }>;
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
  stage: string;
  /** The stage whose limits, retention and protection it has. */
  like: string;
  architecture: Architecture;
  /** Milliseconds for one whole attempt to deliver a notification. */
  deliveryTimeoutMs: number;
  /** The custom domain that the stack creates for the API. */
  domain: { name: string; certificateArn: string } | undefined;
  /** The address that callers use. If absent, it is the API's own. */
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
 * Reads the configuration of a deployment from the CDK context.
 *
 * @throws SettingError if a setting is unknown or has an invalid value.
 */
export function readConfig(context: Readonly<Record<string, unknown>>): Config {
  const { settings, problems } = readSettings(context);
  if (problems.length > 0) throw new SettingError(problems.join('\n'));
  return configFrom(settings);
}

/** The settings of a deployment as its template keeps them, with the defaults of those that were not given. */
export function settingsOf({ like, architecture, domain, baseUrl, alarmEmail, upstream, existing }: Config): Settings {
  return {
    like,
    architecture: architecture.name,
    ...(domain ? { domainName: domain.name, certificateArn: domain.certificateArn } : baseUrl && { baseUrl }),
    alarmEmail: alarmEmail ?? 'none',
    graphVersion: upstream.graphVersion,
    upstreamBaseUrl: upstream.baseUrl,
    mediaHosts: upstream.mediaHosts,
    ...(existing.table && { existingTable: existing.table }),
    ...(existing.secret && { existingSecret: existing.secret }),
  };
}

const stageLike = (name: string) => (Object.hasOwn(stages, name) ? name : 'dev');

/** Makes the configuration of a deployment from valid settings. */
export function configFrom(settings: Settings): Config {
  const { stage = 'dev', domainName, certificateArn, baseUrl } = settings;
  const like = settings.like ?? stageLike(stage);
  const own = stages[like] ?? stages.dev;
  const existing: Existing = {
    table: settings.existingTable ?? own.existing.table,
    secret: settings.existingSecret ?? own.existing.secret,
  };
  const upstreamSecret = existing.secret ?? `messaging/${stage}/upstream`;
  const besideIt = upstreamSecret.replace(/[^/]*$/, '');
  return {
    stage,
    like,
    ...own,
    existing,
    reservesConcurrency: (settings.reservedConcurrency ?? (own.reservesConcurrency ? 'on' : 'off')) === 'on',
    architecture: settings.architecture === 'x86_64' ? Architecture.X86_64 : Architecture.ARM_64,
    deliveryTimeoutMs: 10_000,
    domain: domainName && certificateArn ? { name: domainName, certificateArn } : undefined,
    baseUrl: domainName ? `https://${domainName}` : baseUrl,
    alarmEmail: settings.alarmEmail === 'none' ? undefined : settings.alarmEmail,
    upstream: {
      baseUrl: settings.upstreamBaseUrl ?? defaultUpstream.baseUrl,
      graphVersion: settings.graphVersion ?? defaultUpstream.graphVersion,
      mediaHosts: settings.mediaHosts ?? defaultUpstream.mediaHosts,
      timeoutMs: callTimeoutMs,
    },
    secretNames: {
      upstream: upstreamSecret,
      flowKeys: `${besideIt}flow-keys/`,
      ownCredentials: `${besideIt}credentials/`,
    },
    declaresAwsEndpoints: settings.samLocal === 'true',
  };
}
