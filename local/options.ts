import { parseArgs } from 'node:util';

/** What `npm start` is told, by its arguments and environment. */
export interface StartOptions {
  fresh: boolean;
  dataDir: string;
  ports: { api: number; upstream: number; console: number };
  upstreamBaseUrl: string | undefined;
  upstreamAccessToken: string | undefined;
  dynamoDbUrl: string | undefined;
  clockOffsetSeconds: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A wrong argument or variable; its message is all that is printed. */
export class OptionError extends Error {}

/** Reads the options. Throws `OptionError` naming what is wrong. */
export function readOptions(argv: readonly string[], environment: Environment, defaultDataDir: string): StartOptions {
  return {
    fresh: readFresh(argv),
    dataDir: environment.LOCAL_DATA_DIR || defaultDataDir,
    ports: {
      api: integer(environment, 'PORT', 3000, 65_535),
      upstream: integer(environment, 'UPSTREAM_PORT', 3001, 65_535),
      console: integer(environment, 'CONSOLE_PORT', 3002, 65_535),
    },
    upstreamBaseUrl: url(environment, 'UPSTREAM_BASE_URL'),
    upstreamAccessToken: environment.UPSTREAM_ACCESS_TOKEN || undefined,
    dynamoDbUrl: url(environment, 'AWS_ENDPOINT_URL_DYNAMODB'),
    clockOffsetSeconds: integer(environment, 'CLOCK_OFFSET_SECONDS', 0, 100 * 365 * 86_400),
  };
}

function readFresh(argv: readonly string[]): boolean {
  try {
    return parseArgs({ args: [...argv], options: { fresh: { type: 'boolean' } } }).values.fresh ?? false;
  } catch (error) {
    throw new OptionError(`${error instanceof Error ? error.message : error} The only option is --fresh.`);
  }
}

function integer(environment: Environment, name: string, fallback: number, max: number): number {
  const text = environment[name];
  if (text === undefined || text === '') return fallback;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= max)) throw new OptionError(`${name} must be a whole number from 0 to ${max}, not "${text}".`);
  return value;
}

function url(environment: Environment, name: string): string | undefined {
  const text = environment[name];
  if (text === undefined || text === '') return undefined;
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw new OptionError(`${name} must be an http or https URL, not "${text}".`);
  }
  return text.replace(/\/+$/, '');
}
