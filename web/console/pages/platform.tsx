import type { PageProps } from '../page.ts';

export function Platform({ snapshot }: PageProps) {
  return <h1>Platform {snapshot.messages.size}</h1>;
}
