import type { Finding } from '#shared/flow-json/validate/findings.ts';
import { Badge } from '../../parts/text.tsx';

interface FindingsProps {
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  /** Shows where in the text a finding is. */
  readonly goTo: (finding: Finding) => void;
}

/** What is wrong with a Flow JSON, in the order of its lines. */
export function Findings({ errors, warnings, goTo }: FindingsProps) {
  const list = [
    ...errors.map((finding) => ({ finding, tone: 'bad' as const })),
    ...warnings.map((finding) => ({ finding, tone: 'warn' as const })),
  ].toSorted((one, other) => one.finding.line_start - other.finding.line_start);
  return (
    <>
      <h3>
        Findings{' '}
        <Badge tone={errors.length > 0 ? 'bad' : warnings.length > 0 ? 'warn' : 'good'}>
          {counted(errors.length, 'error')}, {counted(warnings.length, 'warning')}
        </Badge>
      </h3>
      {list.length > 0 && (
        <ul class="findings" aria-label="Findings">
          {list.map(({ finding, tone }) => (
            <li>
              <button type="button" class="quiet" onClick={() => goTo(finding)}>
                line {finding.line_start}
              </button>
              <p>
                <Badge tone={tone}>{tone === 'bad' ? 'error' : 'warning'}</Badge> {finding.message}{' '}
                <code class="dim">{finding.error}</code>
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const counted = (count: number, name: string) => `${count} ${name}${count === 1 ? '' : 's'}`;
