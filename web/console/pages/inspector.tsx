import type { PageProps } from '../page.ts';

export function Inspector({ snapshot }: PageProps) {
  return <h1>Inspector {snapshot.messages.size}</h1>;
}
