import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createFunction, processState } from '#support/aws/lambda-function.ts';
import type { FunctionDefinition } from '../template/functions.ts';
import { type InvokeResult, maxRequestBytes } from './invocation.ts';
import { type LambdaOptions, startLambda } from './lambda-service.ts';

async function start(definition: FunctionDefinition, options: Partial<LambdaOptions> = {}) {
  const lines: string[] = [];
  const lambda = await startLambda({
    functions: [definition],
    environment: {},
    credentialsOf: (accessKeyId) => ({ accessKeyId, secretAccessKey: 'secret', sessionToken: 'token' }),
    onLog: (_, line) => lines.push(line),
    ...options,
  });
  onTestFinished(() => lambda.close());
  const invoke = (event: unknown = {}) => lambda.invoke(definition.name, JSON.stringify(event));
  return { lambda, invoke, lines };
}

const answerOf = ({ payload, functionError }: InvokeResult) => {
  expect(functionError, payload).toBeUndefined();
  return JSON.parse(payload);
};
const errorOf = ({ payload, functionError }: InvokeResult) => {
  expect(functionError).toBe('Unhandled');
  return JSON.parse(payload);
};

const pidSource = `export const handler = async ({ sleep = 0 }) => {
  await new Promise((resolve) => setTimeout(resolve, sleep));
  return process.pid;
};`;

describe('a function', () => {
  it('receives its event, and keeps its process and memory between events', async () => {
    const { invoke } = await start(
      await createFunction('let count = 0; export const handler = async (event) => ({ event, count: ++count });'),
    );
    expect(answerOf(await invoke({ a: 'ü' }))).toEqual({ event: { a: 'ü' }, count: 1 });
    expect(answerOf(await invoke({ b: 2 }))).toEqual({ event: { b: 2 }, count: 2 });
  });

  it("has Lambda's environment and nothing else", async () => {
    vi.stubEnv('SECRET_OF_THE_HOST', 'x');
    onTestFinished(() => void vi.unstubAllEnvs());
    const definition = await createFunction(
      `export const handler = async () => ({ env: process.env, cwd: process.cwd(), hour: new Date(0).getHours() });`,
      { environment: { OWN: '1', AWS_REGION: 'mars', AWS_ENDPOINT_URL_SQS: '' } },
    );
    const environment = { AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:1' };
    const { invoke } = await start(definition, { environment, region: 'eu-west-1' });
    const { env, cwd, hour } = answerOf(await invoke());
    expect(cwd).toBe(definition.assetFolder);
    expect(hour).toBe(0);
    expect(env).toEqual({
      OWN: '1',
      AWS_ACCESS_KEY_ID: 'Function1A2B',
      AWS_DEFAULT_REGION: 'eu-west-1',
      AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:1',
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128',
      AWS_LAMBDA_FUNCTION_NAME: 'Function',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      AWS_LAMBDA_LOG_FORMAT: 'JSON',
      AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/Function',
      AWS_LAMBDA_LOG_LEVEL: 'INFO',
      AWS_LAMBDA_LOG_STREAM_NAME: expect.stringMatching(/^\d{4}\/\d\d\/\d\d\/\[\$LATEST\][0-9a-f]{32}$/),
      AWS_REGION: 'eu-west-1',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_SESSION_TOKEN: 'token',
      LAMBDA_TASK_ROOT: definition.assetFolder,
      LANG: 'en_US.UTF-8',
      PATH: '/usr/local/bin:/usr/bin:/bin',
      TZ: ':UTC',
      _HANDLER: 'index.handler',
    });
  });

  it("receives Lambda's context with each event", async () => {
    const { invoke } = await start(
      await createFunction(
        'export const handler = async (_, context) => ({ ...context, left: context.getRemainingTimeInMillis() });',
        { timeoutSeconds: 900, memoryMegabytes: 256 },
      ),
      { clockOffsetSeconds: 86_400 },
    );
    const context = answerOf(await invoke());
    expect(context).toMatchObject({
      awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      functionName: 'Function',
      functionVersion: '$LATEST',
      invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:Function',
      logGroupName: '/aws/lambda/Function',
      memoryLimitInMB: '256',
    });
    expect(context.left).toBeGreaterThan(700_000);
    expect(context.left).toBeLessThanOrEqual(900_000);
  });

  it('returns null if its handler returns nothing', async () => {
    const { invoke } = await start(await createFunction('export const handler = async () => {};'));
    expect(await invoke()).toEqual({ payload: 'null' });
  });

  it('can have a clock that is ahead', async () => {
    const { invoke } = await start(
      await createFunction(`export const handler = async () => ({
        now: Date.now(), date: new Date().getTime(), text: Date(), fixed: new Date(5).getTime(),
        instance: new Date() instanceof Date, parsed: Date.parse('1970-01-01T00:00:00Z') });`),
      { clockOffsetSeconds: 3_600 },
    );
    const before = Date.now();
    const { now, date, text, ...others } = answerOf(await invoke());
    const after = Date.now();
    for (const time of [now, date, Date.parse(text)].map((ahead) => ahead - 3_600_000)) {
      // The text has whole seconds.
      expect(time).toBeGreaterThan(before - 1_000);
      expect(time).toBeLessThanOrEqual(after);
    }
    expect(others).toEqual({ fixed: 5, instance: true, parsed: 0 });
  });

  it('logs JSON lines with the request id, from the level INFO on', async () => {
    const { invoke, lines } = await start(
      await createFunction(`console.info('loading');
        export const handler = async (_, context) => {
          console.trace('too fine');
          console.debug('too fine');
          console.log({ event: 'done', error: new TypeError('bad') });
          console.warn('%s is %d', 'x', 1);
          return context.awsRequestId;
        };`),
    );
    const requestId = answerOf(await invoke());
    await expect.poll(() => lines.length).toBe(3);
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { timestamp, level: 'INFO', message: 'loading' },
      {
        timestamp,
        level: 'INFO',
        requestId,
        message: {
          event: 'done',
          error: { errorType: 'TypeError', errorMessage: 'bad', stackTrace: expect.any(Array) },
        },
      },
      { timestamp, level: 'WARN', requestId, message: 'x is 1' },
    ]);
  });
});

describe('a failing function', () => {
  it.each([
    ['an error', "throw new TypeError('bad')", { errorType: 'TypeError', errorMessage: 'bad' }],
    ['what is not an error', "throw 'text'", { errorType: 'string', errorMessage: 'text', trace: [] }],
    ['a response that is not JSON', 'return 1n', { errorType: 'TypeError' }],
  ])('reports %s, and then handles further events', async (_, statement, error) => {
    const { invoke } = await start(
      await createFunction(`export const handler = async ({ ok }) => { if (ok) return process.pid; ${statement}; };`),
    );
    const before = answerOf(await invoke({ ok: true }));
    const reported = errorOf(await invoke());
    expect(reported).toMatchObject(error);
    expect(reported.trace).toBeInstanceOf(Array);
    expect(answerOf(await invoke({ ok: true }))).toBe(before);
  });

  it.each([
    ['process.exit(3)', 'Runtime exited with error: exit status 3'],
    ['process.exit(0)', 'Runtime exited without providing a reason'],
    ["process.kill(process.pid, 'SIGKILL')", 'Runtime exited with error: signal: killed'],
  ])('is reported if it ends by %s, and is started again', async (statement, reason) => {
    const { invoke, lines } = await start(
      await createFunction(`export const handler = async ({ ok }) => {
        if (ok) return 'fine';
        ${statement};
        await new Promise(() => setInterval(() => {}, 1000));
      };`),
    );
    const { errorType, errorMessage } = errorOf(await invoke());
    expect(errorType).toBe('Runtime.ExitError');
    expect(errorMessage).toMatch(/^RequestId: [0-9a-f-]{36} Error: /);
    expect(errorMessage).toContain(reason);
    expect(lines.join()).toContain(reason);
    expect(answerOf(await invoke({ ok: true }))).toBe('fine');
  });

  it('a failing function reports an unhandled rejection', async () => {
    const { invoke } = await start(
      await createFunction(`export const handler = () => {
        Promise.reject(new Error('lost'));
        return new Promise(() => setInterval(() => {}, 1000));
      };`),
    );
    expect(errorOf(await invoke())).toMatchObject({
      errorType: 'Runtime.UnhandledPromiseRejection',
      errorMessage: 'Error: lost',
    });
  });

  it('is killed at its timeout, and is started again', async () => {
    const { invoke, lines } = await start(await createFunction(pidSource, { timeoutSeconds: 3 }));
    const pid = answerOf(await invoke());
    expect(errorOf(await invoke({ sleep: 600_000 }))).toEqual({
      errorType: 'Sandbox.Timedout',
      errorMessage: expect.stringMatching(/^RequestId: [0-9a-f-]{36} Error: Task timed out after 3\.00 seconds$/),
    });
    expect(lines.join()).toContain('Task timed out after 3.00 seconds');
    expect(answerOf(await invoke())).not.toBe(pid);
    expect(processState(pid)).toBeUndefined();
  });
});

describe('limits', () => {
  it('reject an event that is too large', async () => {
    const { invoke } = await start(await createFunction('export const handler = async (event) => event.length;'));
    expect(answerOf(await invoke('x'.repeat(maxRequestBytes - 2)))).toBe(maxRequestBytes - 2);
    await expect(invoke('ü'.repeat(maxRequestBytes / 2))).rejects.toThrow('Request must be smaller than 6291456 bytes');
  });

  it('fail a result that is too large, and the function continues', async () => {
    const { invoke } = await start(
      await createFunction("export const handler = async ({ size }) => (size ? 'x'.repeat(size) : process.pid);"),
    );
    const pid = answerOf(await invoke());
    expect(answerOf(await invoke({ size: 6_291_554 }))).toHaveLength(6_291_554);
    expect(errorOf(await invoke({ size: 6_291_555 }))).toEqual({
      errorType: 'Function.ResponseSizeTooLarge',
      errorMessage: 'Response payload size exceeded maximum allowed payload size (6291556 bytes).',
    });
    expect(answerOf(await invoke())).toBe(pid);
  });

  it('throttle requests beyond the reserved concurrency', async () => {
    const { invoke } = await start(await createFunction(pidSource, { reservedConcurrency: 1 }));
    const [first, second] = await Promise.allSettled([invoke({ sleep: 100 }), invoke()]);
    expect(first.status).toBe('fulfilled');
    expect(second).toMatchObject({ status: 'rejected', reason: { name: 'TooManyRequestsException' } });
    expect(answerOf(await invoke())).toBeTypeOf('number');
  });

  it('do not apply to an unknown function, which is an error', async () => {
    const { lambda } = await start(await createFunction(pidSource));
    await expect(lambda.invoke('Nobody', '{}')).rejects.toThrow('There is no function Nobody.');
  });
});

describe('processes', () => {
  it('run one event at a time, one after the other', async () => {
    const { invoke } = await start(await createFunction(pidSource));
    const pids = (await Promise.all([invoke({ sleep: 500 }), invoke({ sleep: 500 })])).map(answerOf);
    expect(new Set(pids).size).toBe(2);
    for (let round = 0; round < 20; round += 1) {
      expect(pids).toContain(answerOf(await invoke()));
    }
  });

  it('take turns for short events', async () => {
    const { invoke } = await start(await createFunction(pidSource));
    const pids = (await Promise.all(Array.from({ length: 40 }, () => invoke()))).map(answerOf);
    expect(new Set(pids).size).toBeLessThanOrEqual(8);
  });

  it('become more while those that run wait for somebody else', async () => {
    const { invoke } = await start(
      await createFunction(
        `import { readdirSync, writeFileSync } from 'node:fs';
        export const handler = async () => {
          writeFileSync('pid-' + process.pid, '');
          const met = () => readdirSync('.').filter((name) => name.startsWith('pid-')).length;
          while (met() < 7) await new Promise((resolve) => setTimeout(resolve, 10));
          return process.pid;
        };`,
        { timeoutSeconds: 60 },
      ),
    );
    const pids = (await Promise.all(Array.from({ length: 7 }, () => invoke()))).map(answerOf);
    expect(new Set(pids).size).toBe(7);
  });

  it('are ended after they have been idle for long', async () => {
    const { invoke } = await start(await createFunction(pidSource), { idleMilliseconds: 50 });
    const pid = answerOf(await invoke());
    await expect.poll(() => processState(pid)).toBeUndefined();
    expect(answerOf(await invoke())).not.toBe(pid);
  });

  it('are limited by the machine: events wait, and idle processes of other functions are ended', async () => {
    const [one, other] = await Promise.all([
      createFunction(pidSource, { name: 'One' }),
      createFunction(pidSource, { name: 'Other' }),
    ]);
    const { lambda } = await start(one, { functions: [one, other], maximumProcesses: 1 });
    const invoke = async (name: string) => answerOf(await lambda.invoke(name, '{"sleep":20}'));
    const [first, second, third] = await Promise.all([invoke('One'), invoke('One'), invoke('Other')]);
    expect(first).toBe(second);
    expect(third).not.toBe(first);
    expect(processState(first)).toBeUndefined();
  });

  it('make room for another one: only the process of the least recently used function ends', async () => {
    const names = ['One', 'Two', 'Three', 'Four'];
    const functions = await Promise.all(names.map((name) => createFunction(pidSource, { name })));
    const [one = await createFunction(pidSource)] = functions;
    const { lambda } = await start(one, { functions, maximumProcesses: 3 });
    const invoke = async (name: string) => answerOf(await lambda.invoke(name, '{}'));
    const pids = [await invoke('One'), await invoke('Two'), await invoke('Three')];
    expect(await invoke('One')).toBe(pids[0]);
    await invoke('Four');
    expect(pids.map((pid) => processState(pid) !== undefined)).toEqual([true, false, true]);
  });

  it('processes are frozen between events', async () => {
    const ticking = await createFunction(`let ticks = 0;
      export const handler = async ({ first }) => {
        if (first) setInterval(() => ticks++, 1);
        return ticks;
      };`);
    const other = await createFunction(pidSource, { name: 'Other' });
    const { lambda, invoke } = await start(ticking, { functions: [ticking, other] });
    await invoke({ first: true });
    await lambda.invoke('Other', '{"sleep":100}');
    // It may have ticked once before it was frozen.
    expect(answerOf(await invoke({}))).toBeLessThanOrEqual(1);
  });

  it('are all ended by close, and running events fail', async () => {
    const { lambda, invoke, lines } = await start(
      await createFunction(`export const handler = async () => {
        console.log(process.pid);
        await new Promise(() => setInterval(() => {}, 1000));
      };`),
    );
    const events = [invoke()];
    await expect.poll(() => lines.length).toBe(1);
    const pid = JSON.parse(lines[0] ?? '').message;
    events.push(invoke());
    const unfinished = Promise.allSettled(events);
    await lambda.close();
    const [running, waiting] = await unfinished;
    expect(running).toMatchObject({ value: { payload: expect.stringContaining('Runtime.ExitError') } });
    expect(waiting).toMatchObject({ reason: { message: 'The functions are being stopped.' } });
    expect(processState(pid)).toBeUndefined();
    await expect(invoke()).rejects.toThrow('are being stopped');
  });
});

describe('the processes of all functions', () => {
  it('never all belong to one function, so others can run while it waits', async () => {
    const waiting = await createFunction(
      `import { existsSync } from 'node:fs';
      export const handler = async ({ file }) => {
        while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 10));
        return process.pid;
      };`,
      { timeoutSeconds: 60 },
    );
    const other = await createFunction('export const handler = async () => "ran";', { name: 'Other' });
    const { lambda } = await start(waiting, { functions: [waiting, other], maximumProcesses: 4 });
    const file = join(waiting.assetFolder, 'go-on');
    const runs = Array.from({ length: 8 }, () => lambda.invoke(waiting.name, JSON.stringify({ file })));
    expect(answerOf(await lambda.invoke('Other', '{}'))).toBe('ran');
    writeFileSync(file, '');
    const pids = (await Promise.all(runs)).map(answerOf);
    expect(new Set(pids).size).toBeLessThanOrEqual(3);
  });
});
