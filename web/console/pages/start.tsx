import type { PageProps } from '../page.ts';

export function Start({ snapshot }: PageProps) {
  return <h1>Start {snapshot.messages.size}</h1>;
}
