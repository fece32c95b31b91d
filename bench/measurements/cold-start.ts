import { startLambda } from '#local/aws/lambda/lambda-service.ts';
import type { Build } from '../build.ts';
import { readDefinitions } from '../report/definitions.ts';
import type { Figure } from '../report/report.ts';
import { elapsed, median } from '../report/statistics.ts';

const rounds = 15;

/**
 * The handler rejects a request without a user before it calls any service, but only after the whole bundle has loaded.
 */
const event = JSON.stringify({ headers: {}, requestContext: {} });

/** Measures the time from starting a function's process to its first response. */
export async function measureColdStart(build: Build): Promise<Figure[]> {
  const definition = readDefinitions(build).find(({ name }) => name === 'GetFlow');
  if (!definition) throw new Error('The stack has no function GetFlow');

  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const lambda = await startLambda({
      ...{ functions: [definition], environment: {}, onLog: () => {} },
      credentialsOf: (accessKeyId) => ({ accessKeyId, secretAccessKey: 'unused' }),
    });
    times.push(await elapsed(() => lambda.invoke(definition.name, event)));
    await lambda.close();
  }
  return [{ what: 'First response of a new process of get-flow', value: median(times), unit: 'ms' }];
}
