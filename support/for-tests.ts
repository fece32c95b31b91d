import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

interface Started {
  close(): Promise<unknown> | unknown;
}

/** What is started before each test and closed after it. Its members are there while a test runs. */
export const forEachTest = <T extends Started>(start: () => Promise<T>): T => open(start, beforeEach, afterEach);

/** What is started before the first test and closed after the last one. */
export const forAllTests = <T extends Started>(start: () => Promise<T>): T => open(start, beforeAll, afterAll);

function open<T extends Started>(start: () => Promise<T>, before: typeof beforeAll, after: typeof afterAll): T {
  let current: T | undefined;
  before(async () => {
    current = await start();
  });
  after(() => current?.close());
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(current ?? {}, name),
    set: (_, name, value) => Reflect.set(current ?? {}, name, value),
  });
}
