import type { Invoke } from '../lambda/invocation.ts';
import { type LambdaOptions, type LambdaService, startLambda } from '../lambda/lambda-service.ts';
import { type FunctionDefinition, readFunctions } from '../template/functions.ts';
import type { Stack } from './stack.ts';

export interface FunctionsOptions extends Pick<LambdaOptions, 'clockOffsetSeconds' | 'onLog'> {
  /** Variables of every function, as Lambda's own are: where the AWS services are, and how long a call may take. */
  readonly environment: Readonly<Record<string, string>>;
  /** Values of variables that a function's template declares, as `sam local --env-vars` sets them. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Starts the template's functions. */
export async function startFunctions(stack: Stack, options: FunctionsOptions): Promise<LambdaService> {
  const { variables, ...others } = options;
  const functions = readFunctions(stack.template, stack.resolve).map((one) => withVariables(one, variables));
  const { region, credentialsOf, administrator } = stack;
  const lambda = await startLambda({ ...others, functions, region, credentialsOf });
  const invoke: Invoke = async (functionName, payload) => {
    const start = performance.now();
    const result = await lambda.invoke(functionName, payload);
    const { accessKeyId } = administrator;
    const call = { accessKeyId, action: 'lambda:InvokeFunction', resource: functionName };
    stack.onCall(call, performance.now() - start);
    return result;
  };
  return { ...lambda, invoke };
}

function withVariables(
  definition: FunctionDefinition,
  variables: Readonly<Record<string, string>>,
): FunctionDefinition {
  const environment = Object.fromEntries(
    Object.entries(definition.environment).map(([name, value]) => [name, variables[name] ?? value]),
  );
  return { ...definition, environment };
}
