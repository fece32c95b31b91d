import { AsyncLocalStorage } from 'node:async_hooks';

/** Members of a log line: ids, codes and figures. Never log a token, a body, a phone number or a name. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

const contexts = new AsyncLocalStorage<LogFields>();

/** Runs something and adds these members to all of its log lines. A context within another one adds to it. */
export function withLogContext<T>(fields: LogFields, run: () => T): T {
  return contexts.run({ ...contexts.getStore(), ...fields }, run);
}

/** The members of the present context. */
export const logContext = (): LogFields => contexts.getStore() ?? {};

/** The id of the request that led to what happens now, if the context names it. */
export function presentRequest(): string | undefined {
  const { request } = logContext();
  return typeof request === 'string' ? request : undefined;
}
