import type { Config } from '../config.ts';
import { dashed, type SettingName, type Settings } from '../settings.ts';
import type { Findings, Subject } from './findings.ts';
import { readTemplate, type StackState, type Template } from './stack-state.ts';

/** Nothing is left of a first deployment that failed. */
export const hasSettings = ({ status }: StackState): boolean => status !== 'ROLLBACK_COMPLETE';

/**
 * Settings apply to one deployment, so they are easily forgotten. What the deployed stack has may only change if its
 * setting is given.
 */
export function checkSettings(stack: StackState, settings: Settings, config: Config): Findings {
  const { UpstreamBaseUrl, UpstreamGraphVersion } = stack.outputs;
  const { baseUrl, graphVersion } = config.upstream;
  const { problems = [], notices = [] } = checkAddress(stack, config);
  return {
    problems: [
      ...problems,
      ...changed(settings, 'upstreamBaseUrl', 'The address of the Graph API', UpstreamBaseUrl, baseUrl),
      ...changed(settings, 'graphVersion', 'The version of the Graph API', UpstreamGraphVersion, graphVersion),
      ...protection(stack, settings, config),
    ],
    notices,
  };
}

function protection({ isProtected }: StackState, { like }: Settings, { deletionProtection }: Config): string[] {
  if (like !== undefined || isProtected === deletionProtection) return [];
  return [isProtected ? losesProtection : gainsProtection];
}

const losesProtection =
  'The stack is protected against deletion, and would lose that, and the limits and the retention that go with it. To ' +
  'keep them, give --like prod. To change them, give --like dev.';

const gainsProtection =
  'The stack is not protected against deletion, and would be, with the limits and the retention that go with it. To ' +
  'keep what it has, give --like dev. To change it, give --like prod.';

/** The same for what only the template shows. */
export async function checkTemplateSettings({
  aws,
  stackName,
  stack,
  settings,
  config,
}: Subject): Promise<Partial<Findings>> {
  if (!stack || !hasSettings(stack)) return {};
  const { alarmEmail, mediaHosts, architecture } = settingsOf(await readTemplate(stackName, aws));
  return {
    problems: [
      ...changed(settings, 'alarmEmail', 'The recipient of alarms', alarmEmail, config.alarmEmail ?? 'none'),
      ...changed(settings, 'mediaHosts', 'The list of domains for media', mediaHosts, config.upstream.mediaHosts),
      ...changed(settings, 'architecture', 'The architecture', architecture, config.architecture.name),
    ],
  };
}

/** The settings that a deployed template shows. */
export function settingsOf({ Resources = {} }: Template) {
  const properties = Object.values(Resources).map((resource) => resource?.Properties ?? {});
  const first = (value: (of: (typeof properties)[number]) => string | undefined) => properties.map(value).find(Boolean);
  return {
    alarmEmail: first(({ Protocol, Endpoint }) => (Protocol === 'email' ? Endpoint : undefined)),
    mediaHosts: first(({ Environment }) => Environment?.Variables?.UPSTREAM_MEDIA_HOSTS),
    architecture: first(({ Architectures }) => Architectures?.[0]),
  };
}

function changed(
  settings: Settings,
  name: SettingName,
  subject: string,
  before: string | undefined,
  after: string,
): string[] {
  if (settings[name] !== undefined || before === undefined || before === after) return [];
  const option = dashed(name);
  return [
    `${subject} is ${before}, and would become ${after}. To keep it, give ${option} ${before}. To change it, give ` +
      `${option} ${after}.`,
  ];
}

function checkAddress({ outputs }: StackState, { baseUrl }: Config): Partial<Findings> {
  const { ApiUrl, BaseUrl: before } = outputs;
  const after = baseUrl ?? ApiUrl;
  if (before === undefined || after === undefined || before === after) return {};
  if (baseUrl !== undefined) return { notices: [`The address of the service changes from ${before} to ${after}.`] };
  return {
    problems: [
      `The address of the service is ${before}, and would become ${after}. To keep it, give --domain-name and ` +
        `--certificate-arn, or --base-url ${before}, as before. To change it, give --base-url ${after}.`,
    ],
  };
}
