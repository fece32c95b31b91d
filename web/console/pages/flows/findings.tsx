import type { Finding } from '#shared/flow-json/validate/findings.ts';
import { Badge } from '../../parts/text.tsx';

interface FindingsProps {
  readonly text: string;
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  /** Shows where in the text a finding is. */
  readonly goTo: (finding: Finding) => void;
}

/** What is wrong with a Flow JSON, in the order of its lines. */
export function Findings({ text, errors, warnings, goTo }: FindingsProps) {
  const lines = text.split('\n');
  const list = [
    ...errors.map((finding) => ({ finding, tone: 'bad' as const })),
    ...warnings.map((finding) => ({ finding, tone: 'warn' as const })),
  ].toSorted((one, other) => one.finding.line_start - other.finding.line_start);
  if (list.length === 0) return undefined;
  return (
    <ul class="found" aria-label="Findings">
      {list.map(({ finding, tone }) => {
        const found = foundAt(finding, lines);
        return (
          <li>
            <button type="button" onClick={() => goTo(finding)}>
              <Badge tone={tone}>{tone === 'bad' ? 'error' : 'warning'}</Badge> <b>line {finding.line_start}</b>{' '}
              <span>
                {found && <code>{found}</code>} {finding.message} <code class="dim">{finding.error}</code>
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

const longestFound = 60;

/** The value that a finding is about, if it is short. */
function foundAt({ line_start, line_end, column_start, column_end }: Finding, lines: readonly string[]): string {
  const found = lines[line_start - 1]?.slice(column_start - 1, column_end - 1) ?? '';
  return line_end === line_start && found.length <= longestFound ? found : '';
}

/** How many findings there are, and a way to the first. What is normal is not said. */
export function FindingCount({ errors, warnings, goTo }: Omit<FindingsProps, 'text'>) {
  const [first] = [...errors, ...warnings];
  if (first === undefined) return undefined;
  const counts = [counted(errors.length, 'error'), counted(warnings.length, 'warning')].filter(Boolean);
  return (
    <button type="button" class={errors.length > 0 ? 'quiet danger' : 'quiet'} onClick={() => goTo(first)}>
      {counts.join(', ')}
    </button>
  );
}

const counted = (count: number, name: string) => count > 0 && `${count} ${name}${count === 1 ? '' : 's'}`;
