// The runtime of a function's process. To an async handler it looks like AWS Lambda's Node.js 24 runtime.
import { existsSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { shiftClock } from './clock.mjs';
import { describeError, installJsonConsole } from './json-console.mjs';

const { AWS_LAMBDA_RUNTIME_API, LAMBDA_TASK_ROOT, _HANDLER } = process.env;
const now = Date.now;
const agent = new Agent({ keepAlive: true });
let requestId;

/** Calls the Runtime API. If there is no response, the parent is gone, and this process ends as well. */
function call(method, path, body) {
  return new Promise((resolve) => {
    const url = `http://${AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/${path}`;
    const headers = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const sending = request(url, { method, agent, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks).toString() }));
      response.on('error', () => process.exit());
    });
    sending.on('error', () => process.exit());
    sending.end(body);
  });
}

async function reportError(error) {
  console.error(error);
  const { errorType, errorMessage, stackTrace } = describeError(error);
  const path = requestId ? `invocation/${requestId}/error` : 'init/error';
  await call('POST', path, JSON.stringify({ errorType, errorMessage, trace: stackTrace }));
}

function runtimeError(name, message) {
  return Object.assign(new Error(message), { name: `Runtime.${name}` });
}

async function loadHandler() {
  const dot = _HANDLER.lastIndexOf('.');
  const [module, name] = [_HANDLER.slice(0, dot), _HANDLER.slice(dot + 1)];
  const file = ['.mjs', '.js', '.cjs'].map((suffix) => join(LAMBDA_TASK_ROOT, module + suffix)).find(existsSync);
  if (!file) {
    throw runtimeError('ImportModuleError', `Error: Cannot find module '${module}'`);
  }
  const { [name]: handler } = await import(pathToFileURL(file).href);
  if (typeof handler !== 'function') {
    throw runtimeError('HandlerNotFound', `${_HANDLER} is undefined or not exported`);
  }
  return handler;
}

function createContext(headers) {
  const deadline = Number(headers['lambda-runtime-deadline-ms']);
  return {
    awsRequestId: requestId,
    callbackWaitsForEmptyEventLoop: true,
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
    invokedFunctionArn: headers['lambda-runtime-invoked-function-arn'],
    logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    getRemainingTimeInMillis: () => deadline - now(),
  };
}

shiftClock(Number(process.argv[2]) * 1000);
installJsonConsole(() => requestId);

process.on('uncaughtException', async (error, origin) => {
  await reportError(origin === 'unhandledRejection' ? runtimeError('UnhandledPromiseRejection', String(error)) : error);
  process.exit(origin === 'unhandledRejection' ? 128 : 129);
});

const handler = await loadHandler().catch(async (error) => {
  await reportError(error);
  process.exit(1);
});

for (;;) {
  const { headers, body } = await call('GET', 'invocation/next');
  requestId = headers['lambda-runtime-aws-request-id'];
  try {
    const result = await handler(JSON.parse(body), createContext(headers));
    await call('POST', `invocation/${requestId}/response`, JSON.stringify(result) ?? 'null');
  } catch (error) {
    await reportError(error);
  }
  requestId = undefined;
}
