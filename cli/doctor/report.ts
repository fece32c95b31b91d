import { visibleLine } from '#shared/base/text.ts';
import type { Finding, Status } from './check.ts';
import { plural } from './words.ts';

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
  const sorted = severity.flatMap((each) => findings.filter(({ status }) => status === each));
  // What is well is one line, and so is a reason that keeps many things unknown.
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
