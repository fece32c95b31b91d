import { readStack } from '#shared/adapters/cloudformation/stack-outputs.ts';
import { type OutputName, stackNameOf } from '#shared/runtime/stage.ts';
import { defaultUpstream } from '#shared/runtime/variables.ts';
import { Rejection } from './failures.ts';

/** Where everything of a stage is. */
export interface Deployment {
  baseUrl: string;
  tableName: string;
  upstream: { secretId: string; baseUrl: string; graphVersion: string };
  deadLetterQueueUrl: string | undefined;
  /** Which code the stack runs; a stack of an older version does not say. */
  codeVersion: string | undefined;
}

/** Finds what a stage consists of: its stack says so in its outputs. */
export async function findDeployment(stage: string): Promise<Deployment> {
  const name = stackNameOf(stage);
  const { region, status, outputs } = await readStack(name);
  if (status === undefined || status === 'REVIEW_IN_PROGRESS') {
    throw new Rejection(
      `There is no stack ${name} in ${region}. Check --stage, AWS_REGION and AWS_PROFILE, or deploy it: npm run deploy -- --stage ${stage}`,
    );
  }
  const output = (output: OutputName) => {
    const value = outputs[output];
    if (value) return value;
    throw new Rejection(
      `The stack ${name} in ${region} has no output ${output} (its status is ${status}). Deploy it again: npm run deploy -- --stage ${stage}`,
    );
  };
  return {
    // A stack of an older version lacks the outputs that have another value here.
    baseUrl: outputs.BaseUrl ?? output('ApiUrl'),
    tableName: output('TableName'),
    upstream: {
      secretId: output('UpstreamSecretName'),
      baseUrl: outputs.UpstreamBaseUrl ?? defaultUpstream.baseUrl,
      graphVersion: outputs.UpstreamGraphVersion ?? defaultUpstream.graphVersion,
    },
    deadLetterQueueUrl: outputs.DeadLetterQueueUrl,
    codeVersion: outputs.CodeVersion,
  };
}
