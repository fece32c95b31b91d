import { visibleLine } from '#shared/base/visible.ts';
import type { Finding, Status } from './check.ts';
import { checks } from './checks.ts';
import { plural } from './words.ts';

const shown: Readonly<Record<Exclude<Status, 'ok'>, string>> = {
  wrong: 'WRONG',
  unknown: 'unknown',
  notice: 'notice',
};

const severity: readonly Status[] = ['wrong', 'unknown', 'notice', 'ok'];

const indent = ' '.repeat(11);

/** With the indent, lines of 120 characters. Words, such as addresses, stay in one piece. */
const textWidth = 109;

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
  const of = (status: Status) => findings.filter((finding) => finding.status === status);
  const well = [...new Set(of('ok').map(({ check }) => titleOf(check)))];
  return [
    ...of('wrong').flatMap(linesOfOne),
    ...unknownLines(of('unknown')),
    ...of('notice').flatMap(linesOfOne),
    ...(well.length > 0 ? [line('ok', `${well.join(', ')}`)] : []),
  ];
}

function linesOfOne({ check, status, text, command }: Finding): string[] {
  const word = status === 'ok' ? 'ok' : shown[status];
  return [
    line(word, `${titleOf(check)}: ${text}`),
    ...(command === undefined ? [] : [`${indent}${visibleLine(command)}`]),
  ];
}

/** One reason often keeps many things unknown. */
function unknownLines(findings: readonly Finding[]): string[] {
  const reasons = Map.groupBy(findings, ({ text }) => text);
  return [...reasons].map(([text, own]) => {
    const titles = [...new Set(own.map(({ check }) => titleOf(check)))];
    return line(shown.unknown, `${titles.join(', ')}: ${text}`);
  });
}

/** A word, and beside it the text in lines of readable length. */
function line(word: string, text: string): string {
  const lines: string[] = [];
  let last = '';
  for (const next of visibleLine(text).split(' ')) {
    if (last !== '' && last.length + 1 + next.length > textWidth) {
      lines.push(last);
      last = next;
    } else last = last === '' ? next : `${last} ${next}`;
  }
  return `  ${word.padEnd(indent.length - 2)}${[...lines, last].join(`\n${indent}`)}`;
}

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

const titleOf = (name: string): string => Object.entries(checks).find(([each]) => each === name)?.[1].title ?? name;
