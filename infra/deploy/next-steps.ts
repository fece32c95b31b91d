import { type OutputName, outputNames } from '#shared/runtime/stage.ts';
import type { Config } from '../config.ts';

/** What a deployment made, and the commands that come next. */
export function nextSteps(
  { stage, domain }: Pick<Config, 'stage' | 'domain'>,
  outputs: Readonly<Record<string, string>>,
): string {
  const value = (name: OutputName) => outputs[name] ?? `the output ${name}`;
  const width = Math.max(...outputNames.map((name) => name.length));
  const found = outputNames.filter((name) => outputs[name] !== undefined);
  const table = found.map((name) => `  ${name.padEnd(width)}  ${outputs[name]}`).join('\n');
  const dns = domain
    ? `Point your DNS at the API, by a CNAME (or an alias) of ${domain.name}:\n  ${domain.name}  CNAME  ${value('DomainTarget')}\n\n`
    : '';
  return `
The stage ${stage} is deployed:
${table}

${dns}Store the credentials of the WhatsApp Cloud API, if they are not stored yet (docs/deploying.md):
  aws secretsmanager get-secret-value --secret-id ${value('UpstreamSecretName')} --query SecretString --output text

At Meta, the callback URL of the webhook is ${value('BaseUrl')}/v2/messaging/events

Then:
  npm run smoke -- --stage ${stage}
  npm run admin -- workspace list --stage ${stage}`;
}
