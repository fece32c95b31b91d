import type { Conformity } from './conform.ts';
import type { Difference } from './shapes.ts';

/** What `npm run conform` prints. */
export function describeConformity({ requests, events, mismatches, notComparable }: Conformity): string {
  const skipped = notComparable.map(
    ({ line, subject, code }) =>
      `line ${line}: ${subject}\n  not comparable: error ${code} follows from what the recording does not show`,
  );
  const found = mismatches.map(({ line, subject, differences }) =>
    [`line ${line}: ${subject}`, ...differences.map((one) => `  ${describeDifference(one)}`)].join('\n'),
  );
  const compared = requests - notComparable.length;
  const count = mismatches.reduce((sum, { differences }) => sum + differences.length, 0);
  const result =
    count === 0
      ? 'the simulated platform conforms.'
      : `${countOf(count, 'difference')} in ${mismatches.length} of them.`;
  return [
    ...skipped,
    ...found,
    ...(skipped.length + found.length === 0 ? [] : ['']),
    `${countOf(compared, 'request')} and ${countOf(events, 'event')} were compared: ${result}`,
  ].join('\n');
}

const countOf = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

function describeDifference({ kind, member, recorded, simulated }: Difference): string {
  switch (kind) {
    case 'absent':
      return `absent  ${member}: the simulated platform lacks it`;
    case 'extra':
      return `extra   ${member}: only the simulated platform has it`;
    case 'type':
      return `type    ${member || 'body'}: recorded ${recorded}, simulated ${simulated ?? 'something else'}`;
    case 'status':
    case 'code':
      return `${kind.padEnd(6)}  ${member}: recorded ${recorded ?? 'none'}, simulated ${simulated ?? 'none'}`;
    case 'event':
      return `event   ${member}: the simulated platform has no such event`;
  }
}
