import type { FunnelCounts } from './sent-flow-store.ts';

/** How far the contacts came to whom a Flow was sent; `null` for what this service cannot know. */
export interface Funnel {
  sent: number;
  opened: number | null;
  completed: number;
  screens: { screen: string; stopped: number }[] | null;
}

/**
 * The funnel of a Flow, with the screens on which most contacts stopped first. Only the exchanges with its endpoint
 * show that a contact opened a Flow and how far they came, and only if this service can read them.
 */
export function funnelOf(
  { endpoint_url, endpoint_encrypted }: { endpoint_url: string | null; endpoint_encrypted: boolean },
  { sent, opened, completed, screens }: FunnelCounts,
): Funnel {
  if (endpoint_url === null || endpoint_encrypted) return { sent, opened: null, completed, screens: null };
  const stopped = [...screens].map(([screen, contacts]) => ({ screen, stopped: contacts }));
  const byContacts = stopped.toSorted(
    (one, other) => other.stopped - one.stopped || (one.screen < other.screen ? -1 : 1),
  );
  return { sent, opened, completed, screens: byContacts };
}
