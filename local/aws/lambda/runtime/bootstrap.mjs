// The runtime of a function's process. To an async handler it looks like AWS Lambda's Node.js 24 runtime.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { readEvent, report } from './channel.mjs';
import { shiftClock } from './clock.mjs';
import { installJsonConsole } from './json-console.mjs';

const { AWS_LAMBDA_LOG_LEVEL, LAMBDA_TASK_ROOT, _HANDLER } = process.env;
const now = Date.now;
const invokedFunctionArn = process.argv[3];
let requestId;

/** Logs and reports what was thrown, which need not be an error. */
function reportError(kind, thrown) {
  console.error(thrown instanceof Error ? thrown : new Error(thrown));
  const description =
    thrown instanceof Error
      ? { errorType: thrown.name, errorMessage: thrown.message, trace: thrown.stack?.split('\n') ?? [] }
      : { errorType: typeof thrown, errorMessage: String(thrown), trace: [] };
  report(kind, JSON.stringify(description));
}

class ImportModuleError extends Error {}
class HandlerNotFound extends Error {}
class UnhandledPromiseRejection extends Error {}
for (const one of [ImportModuleError, HandlerNotFound, UnhandledPromiseRejection]) {
  one.prototype.name = `Runtime.${one.name}`;
}

async function loadHandler() {
  const dot = _HANDLER.lastIndexOf('.');
  const [module, name] = [_HANDLER.slice(0, dot), _HANDLER.slice(dot + 1)];
  const file = ['.mjs', '.js', '.cjs'].map((suffix) => join(LAMBDA_TASK_ROOT, module + suffix)).find(existsSync);
  if (!file) {
    throw new ImportModuleError(`Error: Cannot find module '${module}'`);
  }
  const { [name]: handler } = await import(pathToFileURL(file).href);
  if (typeof handler !== 'function') {
    throw new HandlerNotFound(`${_HANDLER} is undefined or not exported`);
  }
  return handler;
}

function createContext(deadline) {
  return {
    awsRequestId: requestId,
    callbackWaitsForEmptyEventLoop: true,
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
    invokedFunctionArn,
    logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    getRemainingTimeInMillis: () => deadline - now(),
  };
}

shiftClock(Number(process.argv[2]) * 1000);
installJsonConsole(() => requestId, AWS_LAMBDA_LOG_LEVEL);

process.on('uncaughtException', (error, origin) => {
  const isRejection = origin === 'unhandledRejection';
  reportError('C', isRejection ? new UnhandledPromiseRejection(String(error)) : error);
  process.exit(isRejection ? 128 : 129);
});

const handler = await loadHandler().catch((error) => {
  reportError('C', error);
  process.exit(1);
});

report('N');
for (;;) {
  const [id, deadline, event] = JSON.parse(readEvent());
  requestId = id;
  try {
    const result = await handler(event, createContext(deadline));
    report('R', JSON.stringify(result) ?? 'null');
  } catch (error) {
    reportError('E', error);
  }
  requestId = undefined;
  // What is already over, such as the end of a connection, is handled before the process waits.
  await setImmediate();
}
