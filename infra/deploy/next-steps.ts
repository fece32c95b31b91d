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
  ./messaging upstream set --stage ${stage}

Then:
  ./messaging smoke --stage ${stage}
  ./messaging doctor --stage ${stage}

docs/first-number.md leads from here to the first message. At Meta, the callback URL is
${value('BaseUrl')}/v2/messaging/events, which "connect" enters for you.`;
}
