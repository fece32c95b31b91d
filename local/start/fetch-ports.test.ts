import { expect, it } from 'vitest';
import { isFetchable } from './fetch-ports.ts';

/** What `fetch` says of the port of an address that nobody has. */
const rejectionOf = (port: number) =>
  fetch(`http://127.0.0.1:${port}`, { signal: AbortSignal.timeout(5_000) }).then(
    () => undefined,
    (error: Error) => (error.cause instanceof Error ? error.cause.message : undefined),
  );

it('a port cannot be fetched if the fetch of Node blocks it, and only then', async () => {
  const ports = Array.from({ length: 10_100 }, (_, port) => port + 1);
  const near = ports.filter((port) => [port - 1, port, port + 1].some((each) => !isFetchable(each)));
  const blocked = [];
  for (const port of near) if ((await rejectionOf(port)) === 'bad port') blocked.push(port);
  expect(blocked).toEqual(ports.filter((port) => !isFetchable(port)));
});
