import { timestamp } from '#shared/base/time.ts';
import type { Service } from '../service.ts';
import { describeFailure } from '../terminal/failures.ts';
import type { Result } from '../terminal/render.ts';
import type { Finding } from './check.ts';
import { judgeAll } from './checks.ts';
import { reportText } from './report.ts';
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
