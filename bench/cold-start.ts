import { startLambda } from '../local/lambda/lambda-service.ts';
import { readFunctions } from '../local/template/functions.ts';
import { createResolver } from '../local/template/resolve.ts';
import { readTemplate } from '../local/template/template.ts';
import type { Build } from './build.ts';
import { environment } from './environment.ts';
import type { Figure } from './report.ts';
import { elapsed, median } from './statistics.ts';

const rounds = 15;

/** A request without a user is refused before anything leaves the process, with the whole bundle loaded. */
const event = JSON.stringify({ headers: {}, requestContext: {} });

/** From no process at all to the first answer of a function's process. */
export async function measureColdStart({ templateFile }: Build): Promise<Figure> {
  const region = environment.AWS_REGION;
  const template = readTemplate(templateFile);
  const definitions = readFunctions(template, createResolver(template, { region, resource: (id) => id }));
  const definition = definitions.find(({ environment }) => environment.UPSTREAM_SECRET_ID !== undefined);
  if (!definition) throw new Error('No function calls the upstream');

  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const lambda = await startLambda({ functions: [definition], environment: {}, region, onLog: () => {} });
    times.push(await elapsed(() => lambda.invoke(definition.name, event)));
    await lambda.close();
  }
  return { what: 'First answer of a new function process', value: median(times), unit: 'ms' };
}
