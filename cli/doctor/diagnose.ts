import { codeVersion } from '#infra/code-version.ts';
import { timestamp } from '#shared/base/time/clock.ts';
import type { Service } from '../service.ts';
import type { Result } from '../terminal/render.ts';
import type { Commands, Finding } from './check.ts';
import { judgeFacts } from './checks.ts';
import type { CredentialSet } from './facts.ts';
import { applyFixes, type FixOutcome } from './fixes.ts';
import { gatherFacts, type Sources } from './gather.ts';
import { reportText } from './report.ts';

export interface Options {
  /** The id of a number; without it, everything is checked. */
  number: string | undefined;
  fix: boolean;
}

/** Reads everything back and says what is wrong. */
export async function diagnose(service: Service, { number, fix }: Options): Promise<Result> {
  const sources = sourcesOf(service);
  const commands = commandsFor(service);
  const facts = await gatherFacts(number, sources);
  const findings = judgeFacts(facts, commands);
  const outcomes = fix ? await applyFixes(findings, facts) : [];
  const last = outcomes.length > 0 ? await gatherFacts(number, sources) : facts;
  return resultOf(last.at, outcomes.length > 0 ? judgeFacts(last, commands) : findings, fix ? outcomes : undefined);
}

function sourcesOf(service: Service): Sources {
  const { baseUrl, surroundings } = service;
  const { awsUrl, codeVersion: deployedVersion, readDeadLetters, allowedCidrs = '' } = surroundings;
  const deployment: CredentialSet = { subject: 'Credentials of the deployment', upstream: service.upstream() };
  const own = new Map<string, CredentialSet>();
  return {
    service,
    name: 'Service',
    deployment,
    credentialsOf(workspace) {
      if (!workspace.own_credentials) return deployment;
      const { id, name } = workspace;
      const set = own.get(id) ?? {
        subject: `Credentials of workspace ${name}`,
        workspace: id,
        upstream: service.upstream(workspace),
      };
      own.set(id, set);
      return set;
    },
    baseUrl,
    awsUrl,
    deployedVersion,
    checkoutVersion: codeVersion,
    deadLetters: readDeadLetters,
    allowedCidrs,
  };
}

/** The commands to paste that work on the same service. */
function commandsFor({ hint, surroundings }: Service): Commands {
  const { awsCommand = 'aws', deployCommand = './messaging deploy' } = surroundings;
  return { hint, aws: (words) => `${awsCommand} ${words}`, deploy: deployCommand };
}

/** docs/operating.md documents the JSON. */
function resultOf(at: number, findings: readonly Finding[], outcomes: readonly FixOutcome[] | undefined): Result {
  const isWell = findings.every(({ status }) => status !== 'wrong' && status !== 'unknown');
  const fixes = outcomes?.map(({ what, failure = null }) => ({ what, failure }));
  return {
    value: {
      healthy: isWell,
      checked_at: timestamp(at),
      findings: findings.map(({ check, status, subject, text, command = null, fix }) => ({
        ...{ check, status, subject, text, command },
        fixable: fix !== undefined,
      })),
      ...(fixes && { fixes }),
    },
    text: [...(outcomes ? [fixText(outcomes)] : []), reportText(findings), ...hintOf(findings, outcomes)].join('\n\n'),
    hasFindings: !isWell,
  };
}

function fixText(outcomes: readonly FixOutcome[]): string {
  if (outcomes.length === 0) return 'Nothing can be fixed safely.';
  return outcomes
    .map(({ what, failure }) => (failure === undefined ? `Done: ${what}.` : `Failed: ${what}. ${failure}`))
    .join('\n');
}

function hintOf(findings: readonly Finding[], outcomes: readonly FixOutcome[] | undefined): string[] {
  const fixable = findings.filter(({ status, fix }) => fix && status === 'wrong');
  return fixable.length > 0 && outcomes === undefined ? ['With --fix, doctor fixes what it can fix safely.'] : [];
}
