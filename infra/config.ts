import { RemovalPolicy } from 'aws-cdk-lib';
import { Architecture } from 'aws-cdk-lib/aws-lambda';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';

const stages = {
  dev: {
    removalPolicy: RemovalPolicy.DESTROY,
    deletionProtection: false,
    logRetention: RetentionDays.ONE_WEEK,
    throttling: { rateLimit: 50, burstLimit: 100 },
    deliveryConcurrency: 20,
  },
  prod: {
    removalPolicy: RemovalPolicy.RETAIN,
    deletionProtection: true,
    logRetention: RetentionDays.THREE_MONTHS,
    throttling: { rateLimit: 1_000, burstLimit: 2_000 },
    deliveryConcurrency: 100,
  },
} as const;

/** What a deployer may set with `-c name=value`, or once for all in the context of `cdk.json`. */
const settings = {
  stage: { pattern: /^(dev|prod)$/, expected: 'dev or prod' },
  architecture: { pattern: /^(arm64|x86_64)$/, expected: 'arm64 or x86_64' },
  baseUrl: { pattern: /^https:\/\/[^\s/?#]+$/, expected: 'an https:// address without a path' },
  alarmEmail: { pattern: /^[^\s@]+@[^\s@]+$/, expected: 'an e-mail address' },
  graphVersion: { pattern: /^v\d+\.\d+$/, expected: 'a version such as v25.0' },
  upstreamBaseUrl: { pattern: /^https:\/\/[^\s/?#]+$/, expected: 'an https:// address without a path' },
  samLocal: { pattern: /^(true|false)$/, expected: 'true or false' },
} as const;

type SettingName = keyof typeof settings;

/** A setting that the deployer gave a value it cannot have. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

/** One deployment of the service. */
export interface Config {
  stage: keyof typeof stages;
  /** What happens to the data when the stack goes. */
  removalPolicy: RemovalPolicy;
  /** Of the table and the stack. */
  deletionProtection: boolean;
  logRetention: RetentionDays;
  /** Requests a second, and how many at once, over all routes. */
  throttling: { rateLimit: number; burstLimit: number };
  /** How many batches of notifications may be delivered at once. */
  deliveryConcurrency: number;
  architecture: Architecture;
  memoryMb: number;
  /** Milliseconds for one attempt to deliver a notification, in all. */
  deliveryTimeoutMs: number;
  /** The custom domain that the deployer puts before the API; without it the API's own address is used. */
  baseUrl: string | undefined;
  /** Who is told of alarms. */
  alarmEmail: string | undefined;
  upstream: {
    /** Without version. */
    baseUrl: string;
    graphVersion: string;
    /** Milliseconds for one call. */
    timeoutMs: number;
  };
  /** Secrets Manager names of the upstream credentials. */
  secretNames: { upstream: string; workspaces: string };
  /** Declares the AWS endpoints in the functions' environment: `sam local` passes on only what is declared. */
  declaresAwsEndpoints: boolean;
}

/**
 * Reads the configuration of a deployment from the CDK context.
 *
 * @throws SettingError for the first setting with a value that it cannot have.
 */
export function readConfig(contextValue: (name: string) => unknown): Config {
  const read = (name: SettingName): string | undefined => {
    const value = contextValue(name);
    if (value === undefined) return undefined;
    const { pattern, expected } = settings[name];
    if (!pattern.test(String(value))) throw new SettingError(`The setting ${name} must be ${expected}, not "${value}"`);
    return String(value);
  };

  const stage = read('stage') === 'prod' ? 'prod' : 'dev';
  return {
    stage,
    ...stages[stage],
    architecture: read('architecture') === 'x86_64' ? Architecture.X86_64 : Architecture.ARM_64,
    memoryMb: 512,
    deliveryTimeoutMs: 10_000,
    baseUrl: read('baseUrl'),
    alarmEmail: read('alarmEmail'),
    upstream: {
      baseUrl: read('upstreamBaseUrl') ?? 'https://graph.facebook.com',
      graphVersion: read('graphVersion') ?? 'v25.0',
      timeoutMs: 8_000,
    },
    secretNames: { upstream: `messaging/${stage}/upstream`, workspaces: `messaging/${stage}/workspaces/` },
    declaresAwsEndpoints: read('samLocal') === 'true',
  };
}
