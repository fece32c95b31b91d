import { dirname, resolve, sep } from 'node:path';
import { deliverNotifications } from '#functions/deliveries/contracts.ts';
import { leaseMarginMs } from '#shared/base/time-limits.ts';
import { longestScheduledDelaySeconds } from '#shared/delivery/retry-schedule.ts';
import { localHosts } from '../aws/base/http/local-requests.ts';
import { tunnelHelp } from '../live/texts.ts';
import { liveFolder, worldPrefix } from '../world-folder.ts';
import { isFetchable } from './fetch-ports.ts';
import { realPath } from './real-path.ts';

/** What the command line of `messaging start` says. */
export interface StartFlags {
  fresh?: boolean;
  demo?: boolean;
  json?: boolean;
  live?: boolean;
}

/** The options of a world, from the command line and the environment. */
export interface StartOptions {
  fresh: boolean;
  /** Creates a Flow to look at. */
  demo: boolean;
  /** Prints the logs of the functions as they are. */
  json: boolean;
  /** Where the internet reaches the world; it then uses the real platform in place of the simulated one. */
  publicUrl: string | undefined;
  dataDir: string;
  /** `public` is for a live world: the tunnel leads there. */
  ports: { api: number; upstream: number; console: number; public: number };
  /** Further names of this machine, in lower case. */
  hosts: string[];
  upstreamBaseUrl: string | undefined;
  upstreamAccessToken: string | undefined;
  dynamoDbUrl: string | undefined;
  clockOffsetSeconds: number;
  /** If absent, the sweep runs at the template's rate. */
  sweepSeconds: number | undefined;
  /** Variables of the functions. */
  environment: Record<string, string>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A wrong argument or variable. Only its message is printed. */
export class OptionError extends Error {}

/** Reads the options. Throws an `OptionError` that names what is wrong. */
export function readOptions(
  { live = false, fresh = false, demo = false, json = false }: StartFlags,
  environment: Environment,
  defaultDataDir: string,
): StartOptions {
  const flags = { fresh, demo };
  const publicPort = portNumber(environment, 'PUBLIC_PORT') ?? 3003;
  const dataDir = resolve(environment.LOCAL_DATA_DIR || (live ? liveFolder(environment) : defaultDataDir));
  if (live) {
    rejectOutsideLive(flags, environment, dataDir);
    rejectInRepository(dataDir, environment, dirname(defaultDataDir));
  } else if (environment.PUBLIC_URL) {
    throw new OptionError(
      'PUBLIC_URL is for the live world: type ./messaging start --live. For the simulated world, unset PUBLIC_URL.',
    );
  }
  return {
    ...flags,
    json,
    publicUrl: live ? publicUrl(environment, publicPort, './messaging start --live') : undefined,
    dataDir,
    ports: {
      api: portNumber(environment, 'PORT') ?? 3000,
      upstream: portNumber(environment, 'UPSTREAM_PORT') ?? 3001,
      console: portNumber(environment, 'CONSOLE_PORT') ?? 3002,
      public: publicPort,
    },
    hosts: hostNames(environment, 'LOCAL_HOSTS'),
    upstreamBaseUrl: url(environment, 'UPSTREAM_BASE_URL'),
    upstreamAccessToken: environment.UPSTREAM_ACCESS_TOKEN || undefined,
    dynamoDbUrl: engineUrl(environment, 'AWS_ENDPOINT_URL_DYNAMODB'),
    clockOffsetSeconds: integer(environment, 'CLOCK_OFFSET_SECONDS', 0, 100 * 365 * 86_400) ?? 0,
    sweepSeconds: integer(environment, 'SWEEP_SECONDS', 1, 86_400),
    environment: { ...deliverySettings(environment), ...mediaHosts(environment) },
  };
}

/** Rejects options that endanger a live world or do not apply to it. */
function rejectOutsideLive(
  { fresh, demo }: Pick<StartOptions, 'fresh' | 'demo'>,
  environment: Environment,
  dataDir: string,
): void {
  if (fresh) {
    throw new OptionError(
      `--fresh would delete the credentials and the Flow keys of the live world. To start over, delete ${dataDir}.`,
    );
  }
  if (demo) throw new OptionError('--demo needs the workspace of the simulated platform: leave out --live or --demo.');
  if (environment.UPSTREAM_ACCESS_TOKEN) {
    throw new OptionError(
      `UPSTREAM_ACCESS_TOKEN is for the simulated world. Unset it, and store the token with: ${worldPrefix(environment)}./messaging upstream set --live`,
    );
  }
}

/** The variables that can set the data folder, the strongest first. */
const folderVariables = ['LOCAL_DATA_DIR', 'XDG_DATA_HOME', 'LOCALAPPDATA'];

/** A live world's credentials could be committed, or deleted with what git ignores. */
function rejectInRepository(dataDir: string, environment: Environment, repository: string): void {
  const folder = realPath(dataDir);
  if (!isWithin(folder, realPath(repository))) return;
  const cause = folderVariables.find((name) => environment[name] && isWithin(dataDir, resolve(environment[name])));
  throw new OptionError(
    `${cause ?? 'Your home folder'} leads to ${folder}, inside the repository, and a live world keeps credentials there, ` +
      `which could be committed or deleted. Set ${cause ?? 'LOCAL_DATA_DIR'} to a folder elsewhere${cause ? ', or unset it' : ''}.`,
  );
}

const isWithin = (path: string, folder: string) => `${path}${sep}`.startsWith(`${folder}${sep}`);

/** The ports that were chosen, in front of a command that starts the same world. */
const portPrefix = (environment: Environment) =>
  ['PORT', 'PUBLIC_PORT', 'CONSOLE_PORT']
    .filter((name) => environment[name])
    .map((name) => `${name}=${environment[name]} `)
    .join('');

/** The origin of the tunnel. The platform calls only HTTPS. */
function publicUrl(environment: Environment, port: number, start: string): string {
  const { PUBLIC_URL: text } = environment;
  if (text === undefined || text === '') {
    throw new OptionError(tunnelHelp(port, { before: portPrefix(environment) + worldPrefix(environment), start }));
  }
  const parsed = URL.parse(text);
  const isOrigin = parsed?.protocol === 'https:' && parsed.href === `${parsed.origin}/`;
  if (isOrigin && !localHosts.includes(parsed.hostname)) {
    rejectBlockedPort('PUBLIC_URL', parsed.port);
    return parsed.origin;
  }
  throw new OptionError(
    `PUBLIC_URL must be https:// and the host of your tunnel, such as https://example.ngrok.app, not "${text}".`,
  );
}

/** An attempt must end and be recorded within its function's timeout. */
const longestTimeoutMs = deliverNotifications.timeoutSeconds * 1000 - leaseMarginMs;

function deliverySettings(environment: Environment): Record<string, string> {
  const timeoutMs = integer(environment, 'DELIVERY_TIMEOUT_MS', 1, longestTimeoutMs);
  const schedule = environment.DELIVERY_RETRY_SCHEDULE ?? '';
  const delays = schedule.split(',').map((text) => (/^\d{1,5}(\.\d+)?$/.test(text) ? Number(text) : Number.NaN));
  if (schedule !== '' && !delays.every((delay) => delay <= longestScheduledDelaySeconds)) {
    throw new OptionError(
      `DELIVERY_RETRY_SCHEDULE must be seconds from 0 to ${longestScheduledDelaySeconds} with commas between them, not "${schedule}".`,
    );
  }
  return {
    ...(timeoutMs !== undefined && { DELIVERY_TIMEOUT_MS: String(timeoutMs) }),
    ...(schedule !== '' && { DELIVERY_RETRY_SCHEDULE: schedule }),
  };
}

function integer(environment: Environment, name: string, min: number, max: number): number | undefined {
  const text = environment[name];
  if (text === undefined || text === '') return undefined;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) {
    throw new OptionError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`);
  }
  return value;
}

function portNumber(environment: Environment, name: string): number | undefined {
  const port = integer(environment, name, 0, 65_535);
  if (port !== undefined) rejectBlockedPort(name, port);
  return port;
}

/** Neither the world itself nor a browser could send anything there. */
function rejectBlockedPort(name: string, port: number | string): void {
  if (isFetchable(port)) return;
  throw new OptionError(`${name} names port ${port}, which Node and browsers block. Choose another port.`);
}

function mediaHosts(environment: Environment): Record<string, string> {
  const names = hostNames(environment, 'UPSTREAM_MEDIA_HOSTS');
  return names.length > 0 ? { UPSTREAM_MEDIA_HOSTS: names.join(',') } : {};
}

function hostNames(environment: Environment, variable: string): string[] {
  const text = environment[variable] ?? '';
  const names = text === '' ? [] : text.toLowerCase().split(',');
  if (names.every((name) => /^[\w.-]+$/.test(name))) return names;
  throw new OptionError(`${variable} must be host names without ports, with commas between them, not "${text}".`);
}

function url(environment: Environment, name: string): string | undefined {
  const text = environment[name];
  if (text === undefined || text === '') return undefined;
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw new OptionError(`${name} must be an http or https URL, not "${text}".`);
  }
  rejectBlockedPort(name, new URL(text).port);
  return text.replace(/\/+$/, '');
}

/** The address of a DynamoDB engine, to which the local world sends plain HTTP, at the path `/`. */
function engineUrl(environment: Environment, name: string): string | undefined {
  const text = environment[name];
  if (text === undefined || text === '') return undefined;
  const parsed = URL.parse(text);
  if (parsed?.protocol === 'http:' && parsed.href === `${parsed.origin}/`) {
    rejectBlockedPort(name, parsed.port);
    return parsed.origin;
  }
  throw new OptionError(
    `${name} must be http:// and the host and port of a DynamoDB engine, such as http://127.0.0.1:8000, not "${text}".`,
  );
}
