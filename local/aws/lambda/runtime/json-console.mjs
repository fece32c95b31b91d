import { writeSync } from 'node:fs';
import { format } from 'node:util';

const levels = { trace: 'TRACE', debug: 'DEBUG', log: 'INFO', info: 'INFO', warn: 'WARN', error: 'ERROR' };

/** An error as Lambda logs and reports it. The thrown value need not be an Error. */
export function describeError(error) {
  return error instanceof Error
    ? { errorType: error.name, errorMessage: error.message, stackTrace: error.stack?.split('\n') ?? [] }
    : { errorType: typeof error, errorMessage: String(error), stackTrace: [] };
}

const withErrors = (_key, value) => (value instanceof Error ? { ...describeError(value), ...value } : value);

function toLine(entry, args) {
  const [message, ...others] = args;
  if (others.length === 0) {
    try {
      return JSON.stringify({ ...entry, message }, withErrors);
    } catch {
      // A circular object, for example, is printed as text.
    }
  }
  const error = others.find((argument) => argument instanceof Error);
  return JSON.stringify({ ...entry, message: format(...args), ...(error && describeError(error)) });
}

/** Writes at once: the process may wait for its next event directly afterwards. */
function print(line) {
  const bytes = Buffer.from(line);
  for (let written = 0; written < bytes.length; ) written += writeSync(1, bytes, written);
}

/** Makes the console print one JSON object per line, as Lambda's JSON log format does. */
export function installJsonConsole(currentRequestId) {
  for (const [method, level] of Object.entries(levels)) {
    console[method] = (...args) => {
      const entry = { timestamp: new Date().toISOString(), level, requestId: currentRequestId() };
      print(`${toLine(entry, args)}\n`);
    };
  }
}
