import type { PageProps } from '../page.ts';

export function Phone({ snapshot }: PageProps) {
  return <h1>Phone {snapshot.messages.size}</h1>;
}
