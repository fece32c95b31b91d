import { readStack } from '#shared/adapters/stack/outputs.ts';
import { type OutputName, stackNameOf } from '#shared/runtime/stage.ts';
import { defaultUpstream } from '#shared/runtime/variables.ts';
import { Rejection } from './failures.ts';

/** Where everything of a stage is. */
export interface Deployment {
  baseUrl: string;
  tableName: string;
  upstream: { secretId: string; baseUrl: string; graphVersion: string };
  deadLetterQueueUrl: string;
  /** Which code the stack runs. */
  codeVersion: string;
}

/** Reads the outputs of a stage's stack. Returns a function that throws a `Rejection` for one that is missing. */
export async function outputsOf(stage: string): Promise<(name: OutputName, byDefault?: string) => string> {
  const stackName = stackNameOf(stage);
  const { region, status, outputs } = await readStack(stackName);
  if (status === undefined || status === 'REVIEW_IN_PROGRESS') {
    throw new Rejection(
      `There is no stack ${stackName} in ${region}. Check --stage, AWS_REGION and AWS_PROFILE, or deploy it: npm run deploy -- --stage ${stage}`,
    );
  }
  return (name, byDefault) => {
    const value = outputs[name] ?? byDefault;
    if (value) return value;
    throw new Rejection(
      `The stack ${stackName} in ${region} has no output ${name} (its status is ${status}). Deploy it again: npm run deploy -- --stage ${stage}`,
    );
  };
}

/** Finds where everything of a stage is. A stack of an older version lacks the outputs that have a default here. */
export async function findDeployment(stage: string): Promise<Deployment> {
  const output = await outputsOf(stage);
  return {
    baseUrl: output('BaseUrl', output('ApiUrl')),
    tableName: output('TableName'),
    upstream: {
      secretId: output('UpstreamSecretName'),
      baseUrl: output('UpstreamBaseUrl', defaultUpstream.baseUrl),
      graphVersion: output('UpstreamGraphVersion', defaultUpstream.graphVersion),
    },
    deadLetterQueueUrl: output('DeadLetterQueueUrl'),
    codeVersion: output('CodeVersion', 'unversioned'),
  };
}
