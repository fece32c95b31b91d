import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { isAwsError } from '../aws-sdk/aws-error.ts';

/** What CloudFormation knows of a stack. */
export interface FoundStack {
  region: string;
  /** CloudFormation's word for what the stack is in, or undefined if there is no such stack. */
  status: string | undefined;
  outputs: Readonly<Record<string, string>>;
}

/** Reads a stack with the region and the credentials that AWS's tools find. */
export async function readStack(name: string): Promise<FoundStack> {
  const client = new CloudFormationClient();
  try {
    const region = await client.config.region();
    const stack = await describe(client, name);
    const outputs = (stack?.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]);
    return { region, status: stack?.StackStatus, outputs: Object.fromEntries(outputs) };
  } finally {
    client.destroy();
  }
}

async function describe(client: CloudFormationClient, name: string) {
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: name }));
    return Stacks?.[0];
  } catch (error) {
    // CloudFormation has no error of its own for a stack that does not exist.
    if (isAwsError(error, 'ValidationError') && error.message.includes('does not exist')) return undefined;
    throw error;
  }
}
