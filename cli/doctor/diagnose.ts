import { visibleLine } from '#shared/base/text.ts';
import { timestamp } from '#shared/base/time.ts';
import type { Service } from '../service.ts';
import { describeFailure } from '../terminal/describe-failure.ts';
import type { Result } from '../terminal/render.ts';
import { type Finding, plural, type Status } from './check.ts';
import { judgeAll } from './checks.ts';
import { openSubjects } from './subjects.ts';

export interface Options {
  /** The id of a number; without it, everything is checked. */
  number: string | undefined;
  fix: boolean;
}

/** What became of one fix. */
interface FixOutcome {
  what: string;
  /** Why it failed. */
  failure: string | null;
}

/** Reads everything back and says what is wrong. */
export async function diagnose(service: Service, { number, fix }: Options): Promise<Result> {
  const findings = await examine(service, number);
  const outcomes = fix ? await applyFixes(findings) : undefined;
  return resultOf(outcomes?.length ? await examine(service, number) : findings, outcomes, service.now());
}

async function examine(service: Service, number: string | undefined): Promise<Finding[]> {
  const subjects = await openSubjects(number, service);
  const { callback, numbers } = subjects;
  return judgeAll(subjects, { now: service.now, hint: service.hint, callback, numbers });
}

/** Applies each fix once, one after the other. A failure does not keep the others from being applied. */
async function applyFixes(findings: readonly Finding[]): Promise<FixOutcome[]> {
  const fixes = new Map(
    findings.flatMap(({ subject, fix }) => (fix ? [[`${subject}: ${fix.what}`, fix] as const] : [])),
  );
  const outcomes: FixOutcome[] = [];
  for (const { what, apply } of fixes.values()) {
    outcomes.push({ what, failure: await apply().then(() => null, describeFailure) });
  }
  return outcomes;
}

/** docs/operating.md documents the JSON. */
function resultOf(findings: readonly Finding[], fixes: readonly FixOutcome[] | undefined, at: number): Result {
  const isWell = findings.every(({ status }) => status !== 'wrong' && status !== 'unknown');
  const canFix = fixes === undefined && findings.some(({ status, fix }) => fix && status === 'wrong');
  return {
    value: {
      healthy: isWell,
      checked_at: timestamp(at),
      findings: findings.map(({ check, status, subject, text, command = null, fix }) => ({
        check,
        status,
        subject,
        text,
        command,
        fixable: fix !== undefined,
      })),
      ...(fixes && { fixes: fixes.map((outcome) => ({ ...outcome })) }),
    },
    text: [
      ...(fixes ? [fixText(fixes)] : []),
      reportText(findings),
      ...(canFix ? ['With --fix, doctor fixes what it can fix safely.'] : []),
    ].join('\n\n'),
    hasFindings: !isWell,
  };
}

function fixText(outcomes: readonly FixOutcome[]): string {
  if (outcomes.length === 0) return 'Nothing can be fixed safely.';
  return outcomes
    .map(({ what, failure }) => (failure === null ? `Done: ${what}.` : `Failed: ${what}. ${failure}`))
    .join('\n');
}

const severity: readonly Status[] = ['wrong', 'unknown', 'notice', 'ok'];

const indent = ' '.repeat(11);

/** The findings as people read them: by subject, what is wrong first, and what is well in one line. */
export function reportText(findings: readonly Finding[]): string {
  const subjects = [...Map.groupBy(findings, ({ subject }) => subject)];
  const rank = (own: readonly Finding[]) => Math.min(...own.map(({ status }) => Math.min(severity.indexOf(status), 2)));
  const sorted = subjects.toSorted(([, one], [, other]) => rank(one) - rank(other));
  return [
    summary(findings),
    ...sorted.map(([subject, own]) => [visibleLine(subject), ...linesOf(own)].join('\n')),
  ].join('\n\n');
}

function linesOf(findings: readonly Finding[]): string[] {
  const sorted = severity.flatMap((each) => findings.filter(({ status }) => status === each));
  // Checks that are well share one line, and so do checks that are unknown for the same reason.
  const together = Map.groupBy(sorted, ({ status, text }) => (status === 'ok' ? status : text));
  return [...together.values()].flatMap((own) => {
    const checks = [...new Set(own.map(({ check }) => check))].join(', ');
    return own
      .slice(0, 1)
      .flatMap(({ status, text, command }) => [
        status === 'ok' ? line(status, checks) : line(status === 'wrong' ? 'WRONG' : status, `${checks}: ${text}`),
        ...(command === undefined ? [] : [`${indent}${visibleLine(command)}`]),
      ]);
  });
}

const line = (word: string, text: string) => `  ${word.padEnd(indent.length - 2)}${visibleLine(text)}`;

function summary(findings: readonly Finding[]): string {
  const count = (status: Status) => findings.filter((finding) => finding.status === status).length;
  const bad = [
    ...(count('wrong') > 0 ? [`${plural(count('wrong'), 'thing')} wrong`] : []),
    ...(count('unknown') > 0 ? [`${count('unknown')} unknown`] : []),
  ];
  const outcome = bad.length === 0 ? 'All is well' : bad.join(', ');
  const rest = [plural(count('notice'), 'notice'), `${count('ok')} ok`];
  return `${outcome} (${rest.join(', ')}).`;
}
