import type { Snapshot } from './snapshot.ts';

/** How people know a subscriber: the displayed number, or the name of the workspace. */
export function subscriberName(id: string, { numbers, workspaces }: Snapshot['world']): string {
  const number = numbers.find((one) => one.id === id);
  return number?.display_phone_number ?? workspaces.find((one) => one.id === id)?.name ?? id;
}
