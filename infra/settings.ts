import type { Command, OptionValues } from '@commander-js/extra-typings';
import { stageName } from '#shared/operations/stage.ts';
import cdkJson from '../cdk.json' with { type: 'json' };

const label = '[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?';
const hostName = `${label}(?:\\.${label})*`;

const httpsOrigin = new RegExp(`^https://${hostName}(:\\d+)?$`, 'i');

const origin = {
  pattern: { test: (value: string) => httpsOrigin.test(value) && URL.canParse(value) },
  expected: 'an https:// address without a path',
};

/**
 * The settings of a deployer: per command with `--alarm-email value` or `-c alarmEmail=value`, or permanently in the
 * context of `cdk.json`.
 */
const settings = {
  stage: stageName,
  like: { pattern: /^(dev|prod)$/, expected: 'dev or prod' },
  architecture: { pattern: /^(arm64|x86_64)$/, expected: 'arm64 or x86_64' },
  domainName: {
    pattern: /^(?=.{4,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}$/,
    expected: 'a domain name in lower case, such as api.example.com',
  },
  certificateArn: {
    pattern: /^arn:aws[\w-]*:acm:[a-z\d-]+:\d{12}:certificate\/[\w-]+$/,
    expected: 'the ARN of a certificate in ACM',
  },
  baseUrl: origin,
  alarmEmail: { pattern: /^(none|[^\s@]+@[^\s@]+)$/, expected: 'an e-mail address, or none' },
  graphVersion: { pattern: /^v\d+\.\d+$/, expected: 'a version such as v25.0' },
  upstreamBaseUrl: origin,
  mediaHosts: {
    pattern: new RegExp(`^${hostName}(,${hostName})*$`),
    expected: 'domain names with commas between them',
  },
  reservedConcurrency: { pattern: /^(on|off)$/, expected: 'on or off' },
  existingTable: { pattern: /^[\w.-]{3,255}$/, expected: 'the name of a table' },
  existingSecret: { pattern: /^[\w/+=.@-]{1,512}$/, expected: 'the name of a secret' },
  samLocal: { pattern: /^(true|false)$/, expected: 'true or false' },
} as const;

export type SettingName = keyof typeof settings;

export type Settings = Partial<Record<SettingName, string>>;

export const settingNames = Object.keys(settings) as SettingName[];

const isSetting = (name: string): name is SettingName => Object.hasOwn(settings, name);

/**
 * The entries that the CDK keeps in the context: its flags, what it looked up in an account, and the settings of its
 * command line.
 */
const isOfCdk = (name: string) =>
  /^(@aws-cdk[\w-]*\/|aws-cdk:|aws:cdk:)|:account=\d|^(cli-telemetry|acknowledged-issue-numbers)$/.test(name);

/** `--alarm-email` of `alarmEmail`. */
export const dashed = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** Adds an option for each setting to a command. */
export function addSettingOptions<Args extends unknown[], Opts extends OptionValues>(command: Command<Args, Opts>) {
  command.optionsGroup('Settings:');
  for (const name of settingNames.filter((each) => each !== 'samLocal'))
    command.option(`${dashed(name)} <value>`, settings[name].expected);
  return command.option('-c, --context <name=value...>', 'settings as the CDK takes them');
}

/** The settings among the options of a command, unchecked: entries of a CDK context. */
export function typedSettings(options: object): Record<string, string> {
  const { context = [], ...others }: { context?: string[] } & Settings = options;
  const named = settingNames.flatMap((name) => (others[name] === undefined ? [] : [[name, others[name]]]));
  const pairs = context.map((pair) => [pair.replace(/=.*/s, ''), pair.replace(/^[^=]*=?/s, '')]);
  return Object.fromEntries([...named, ...pairs]);
}

interface ReadSettings {
  settings: Settings;
  /** What is wrong, a sentence for each. */
  problems: string[];
}

/** The settings of a deployment: those that were typed, and those in `cdk.json`. A stage must be among them. */
export function chosenSettings(typed: Readonly<Record<string, string>>): ReadSettings {
  const { settings, problems } = readSettings({ ...cdkJson.context, ...typed });
  if (settings.stage === undefined && typed.stage === undefined) {
    problems.push('Which stage? Give --stage, such as --stage prod.');
  }
  return { settings, problems };
}

/** The settings as words for the CDK's command line. */
export const contextWords = (settings: Settings): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** Sorts the entries of a CDK context into valid settings and what is wrong with the others. */
export function readSettings(context: Readonly<Record<string, unknown>>): ReadSettings {
  const found: Settings = {};
  const problems: string[] = [];
  for (const [name, value] of Object.entries(context)) {
    if (isOfCdk(name) || value === undefined) continue;
    if (!isSetting(name)) {
      problems.push(`There is no setting ${name}. There are ${settingNames.join(', ')}.`);
      continue;
    }
    const { pattern, expected } = settings[name];
    if (pattern.test(String(value))) found[name] = String(value);
    else problems.push(`The setting ${name} must be ${expected}, not "${value}".`);
  }
  return { settings: found, problems: [...problems, ...contradictions(found)] };
}

function contradictions({ domainName, certificateArn, baseUrl }: Settings): string[] {
  const problems: string[] = [];
  if ((domainName === undefined) !== (certificateArn === undefined)) {
    const [has, lacks] = domainName ? ['domainName', 'certificateArn'] : ['certificateArn', 'domainName'];
    problems.push(`The setting ${has} needs ${lacks}: a custom domain has both.`);
  }
  if (domainName !== undefined && baseUrl !== undefined && baseUrl !== `https://${domainName}`) {
    problems.push(`The setting baseUrl must be https://${domainName}, the address of domainName, or be left out.`);
  }
  return problems;
}
