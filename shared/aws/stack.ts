import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, DescribeAlarmsCommand, type MetricAlarm } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type AwsService, type Connection, type Environment, endpointFrom } from './connection.ts';
import { isAwsError } from './failures.ts';

export interface StackState {
  /** CloudFormation's word for what the stack is in. */
  status: string;
  isProtected: boolean;
  outputs: Readonly<Record<string, string>>;
}

/** Reads a stack, or resolves with undefined if there is none. */
export async function readStack(name: string, client: CloudFormationClient): Promise<StackState | undefined> {
  const found = await unlessNoStack(client.send(new DescribeStacksCommand({ StackName: name })));
  const stack = found?.Stacks?.[0];
  // A change set that was never executed leaves a stack with nothing in it.
  if (!stack || stack.StackStatus === 'REVIEW_IN_PROGRESS' || stack.StackStatus === 'DELETE_COMPLETE') return undefined;
  return {
    status: String(stack.StackStatus),
    isProtected: stack.EnableTerminationProtection ?? false,
    outputs: Object.fromEntries((stack.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue])),
  };
}

/** The same with the region and the credentials that AWS's tools find. */
export async function findStack(name: string): Promise<{ region: string; stack: StackState | undefined }> {
  const client = new CloudFormationClient();
  try {
    return { region: await client.config.region(), stack: await readStack(name, client) };
  } finally {
    client.destroy();
  }
}

/** CloudFormation has no error of its own for what does not exist. */
export async function unlessNoStack<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isAwsError(error, 'ValidationError') && error.message.includes('does not exist')) return undefined;
    throw error;
  }
}

export interface StackAlarms {
  count: number;
  /** The names of those that are going off. */
  goingOff: string[];
}

/** Reads the alarms of a stack, with the region and the credentials that AWS's tools find. */
export async function alarmsOf(stack: string): Promise<StackAlarms> {
  const client = new CloudWatchClient();
  const alarms: MetricAlarm[] = [];
  let NextToken: string | undefined;
  try {
    do {
      // The stack's name alone would also find a stack whose name goes on with a hyphen, such as that of `prod-eu`.
      const page = await client.send(
        new DescribeAlarmsCommand({ AlarmNamePrefix: `${stack}-Alarms`, MaxRecords: 100, NextToken }),
      );
      alarms.push(...(page.MetricAlarms ?? []));
      NextToken = page.NextToken;
    } while (NextToken);
  } finally {
    client.destroy();
  }
  const goingOff = alarms.filter(({ StateValue }) => StateValue === 'ALARM');
  return { count: alarms.length, goingOff: goingOff.map(({ AlarmName = '' }) => AlarmName) };
}

/**
 * Finds the region and the credentials of a person at a terminal, as all of AWS's tools do: in the environment, a
 * profile or a single sign-on. Functions have theirs in the environment and do not need the SDK for that.
 */
export async function operatorConnection(environment: Environment): Promise<(service: AwsService) => Connection> {
  const { config } = new DynamoDBClient();
  const [region, credentials] = [await config.region(), config.credentials];
  return (service) => ({ endpoint: endpointFrom(environment, service, region), region, credentials });
}
