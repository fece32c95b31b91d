import { AsyncLocalStorage } from 'node:async_hooks';

/** Members of a log line: ids, codes and figures. Never log a token, a body, a phone number or a name. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

const contexts = new AsyncLocalStorage<LogFields>();

/** Runs something whose log lines all say what they belong to. A context within another one adds to it. */
export function withLogContext<T>(fields: LogFields, run: () => T): T {
  return contexts.run({ ...contexts.getStore(), ...fields }, run);
}

/** What a line that is logged now belongs to. */
export const logContext = (): LogFields => contexts.getStore() ?? {};
