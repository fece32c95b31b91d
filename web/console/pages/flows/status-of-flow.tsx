import { Badge, type Tone } from '../../parts/text.tsx';
import type { FlowSummary } from './flow-api.ts';

const tones: Readonly<Record<string, Tone>> = { PUBLISHED: 'good', THROTTLED: 'warn', BLOCKED: 'bad' };

export const StatusOfFlow = ({ status: { code, description } }: Pick<FlowSummary, 'status'>) => (
  <Badge tone={tones[code] ?? 'plain'}>{description}</Badge>
);
