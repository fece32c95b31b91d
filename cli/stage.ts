import { findStack } from '#shared/adapters/stack/read-stack.ts';
import { type OutputName, stackNameOf } from '#shared/runtime/stage.ts';
import { defaultUpstream } from '#shared/runtime/variables.ts';
import { Rejection } from './terminal/errors.ts';

/** Where everything of a stage is. */
export interface Deployment {
  baseUrl: string;
  tableName: string;
  bucketName: string;
  upstream: { secretId: string; baseUrl: string; graphVersion: string };
  deadLetterQueueUrl: string | undefined;
  /** Which code the stack runs; a stack of an older version does not say. */
  codeVersion: string | undefined;
}

/** The outputs of a stage's stack. */
export interface Outputs {
  /** @throws Rejection if the stack has no such output, and there is no default */
  get(name: OutputName, byDefault?: string): string;
  find(name: OutputName): string | undefined;
}

export async function outputsOf(stage: string): Promise<Outputs> {
  const stackName = stackNameOf(stage);
  const { region, stack } = await findStack(stackName);
  if (stack === undefined) {
    throw new Rejection(
      `There is no stack ${stackName} in ${region}. Check --stage, AWS_REGION and AWS_PROFILE, or deploy it: ./messaging deploy --stage ${stage}`,
    );
  }
  const { status, outputs } = stack;
  return {
    get(name, byDefault) {
      const value = outputs[name] ?? byDefault;
      if (value) return value;
      throw new Rejection(
        `The stack ${stackName} in ${region} has no output ${name} (its status is ${status}). Deploy it again: ./messaging deploy --stage ${stage}`,
      );
    },
    find: (name) => outputs[name],
  };
}

/** Finds where everything of a stage is. A stack of an older version lacks the outputs that have a default here. */
export async function findDeployment(stage: string): Promise<Deployment> {
  const outputs = await outputsOf(stage);
  return {
    baseUrl: outputs.get('BaseUrl', outputs.find('ApiUrl')),
    tableName: outputs.get('TableName'),
    bucketName: outputs.get('BucketName'),
    upstream: {
      secretId: outputs.get('UpstreamSecretName'),
      baseUrl: outputs.get('UpstreamBaseUrl', defaultUpstream.baseUrl),
      graphVersion: outputs.get('UpstreamGraphVersion', defaultUpstream.graphVersion),
    },
    deadLetterQueueUrl: outputs.find('DeadLetterQueueUrl'),
    codeVersion: outputs.find('CodeVersion'),
  };
}
