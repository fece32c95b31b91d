import type { Call } from '#local/console/console-values.ts';

export const rings = ({ state }: Call) => state === 'RINGING' || state === 'PRE_ACCEPTED';

/** The business calls, so the contact can answer. */
export const isIncoming = ({ direction }: Call) => direction === 'BUSINESS_INITIATED';

export function stateText({ state, ended_by }: Call): string {
  if (state !== 'ENDED') return { RINGING: 'ringing', PRE_ACCEPTED: 'connecting', CONNECTED: 'connected' }[state];
  return { hang_up: 'ended', rejection: 'rejected', no_answer: 'not answered' }[ended_by ?? 'hang_up'];
}

/** How long the parties have talked, as `1:05`. */
export function durationText({ connected_at, ended_at }: Call, now: number): string {
  if (connected_at === null) return '';
  const seconds = Math.max(0, Math.floor(((ended_at ?? now) - connected_at) / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
