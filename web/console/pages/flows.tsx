import type { PageProps } from '../page.ts';

export function Flows({ snapshot }: PageProps) {
  return <h1>Flows {snapshot.messages.size}</h1>;
}
