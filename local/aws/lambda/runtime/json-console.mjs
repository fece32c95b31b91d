import { writeSync } from 'node:fs';
import { format } from 'node:util';

/** In ascending order, as in `LogPatch.js` of AWS's runtime for Node.js. */
const levels = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];
const methods = {
  trace: 'TRACE',
  debug: 'DEBUG',
  log: 'INFO',
  info: 'INFO',
  warn: 'WARN',
  error: 'ERROR',
  fatal: 'FATAL',
};

const describeError = (error) => ({
  errorType: error.constructor?.name ?? 'UnknownError',
  errorMessage: error.message,
  stackTrace: typeof error.stack === 'string' ? error.stack.split('\n') : [],
});

const withErrors = (_key, value) => (value instanceof Error ? { ...describeError(value), ...value } : value);

/** One argument is the message itself. Several become a text, and the first error among them is described, too. */
export function toLine(entry, args) {
  if (args.length <= 1) {
    try {
      return JSON.stringify({ ...entry, message: args[0] }, withErrors);
    } catch {
      // A circular object or a BigInt, for example, is printed as text.
    }
  }
  const error = args.length > 1 ? args.find((argument) => argument instanceof Error) : undefined;
  return JSON.stringify({ ...entry, message: format(...args), ...(error && describeError(error)) });
}

/** Writes at once: the process may wait for its next event directly afterwards. */
function print(line) {
  const bytes = Buffer.from(line);
  for (let written = 0; written < bytes.length; ) written += writeSync(1, bytes, written);
}

/** Makes the console print one JSON object per line, as Lambda's JSON log format does, from a level on. */
export function installJsonConsole(currentRequestId, lowestLevel) {
  for (const [method, level] of Object.entries(methods)) {
    console[method] = (...args) => {
      if (levels.indexOf(level) < levels.indexOf(lowestLevel)) return;
      const entry = { timestamp: new Date().toISOString(), level, requestId: currentRequestId() };
      print(`${toLine(entry, args)}\n`);
    };
  }
}
