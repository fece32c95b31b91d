import { startLambda } from '#local/aws/lambda/lambda-service.ts';
import type { Build } from './build.ts';
import { readDefinitions } from './definitions.ts';
import type { Figure } from './report.ts';
import { elapsed, median } from './statistics.ts';

const rounds = 15;

/** A request without a user is refused before anything leaves the process, with the whole bundle loaded. */
const event = JSON.stringify({ headers: {}, requestContext: {} });

/** From no process at all to the first answer of a function's process. */
export async function measureColdStart(build: Build): Promise<Figure> {
  const definition = readDefinitions(build).find(({ name }) => name === 'GetFlow');
  if (!definition) throw new Error('The stack has no function GetFlow');

  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const lambda = await startLambda({ functions: [definition], environment: {}, onLog: () => {} });
    times.push(await elapsed(() => lambda.invoke(definition.name, event)));
    await lambda.close();
  }
  return { what: 'First answer of a new process of get-flow', value: median(times), unit: 'ms' };
}
