import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

/** What is started before each test and, if it can be, closed after it. Its members are there while a test runs. */
export const forEachTest = <T extends object>(start: () => Promise<T> | T): T => open(start, beforeEach, afterEach);

/** What is started before the first test and, if it can be, closed after the last one. */
export const forAllTests = <T extends object>(start: () => Promise<T> | T): T => open(start, beforeAll, afterAll);

function open<T extends object>(start: () => Promise<T> | T, before: typeof beforeAll, after: typeof afterAll): T {
  let current: (T & { close?: () => unknown }) | undefined;
  before(async () => {
    current = await start();
  });
  after(() => current?.close?.());
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(current ?? {}, name),
    set: (_, name, value) => Reflect.set(current ?? {}, name, value),
  });
}
