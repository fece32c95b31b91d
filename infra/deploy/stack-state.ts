import {
  DescribeStackResourceCommand,
  DescribeStacksCommand,
  GetTemplateCommand,
  ListStackResourcesCommand,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import type { Aws } from './aws.ts';

/** The stack as it is deployed. */
export interface StackState {
  status: string;
  isProtected: boolean;
  outputs: Readonly<Record<string, string>>;
}

/** Reads a stack, or returns undefined if there is none. */
export async function readStackState(name: string, { cloudFormation }: Aws): Promise<StackState | undefined> {
  const found = await unlessNoStack(cloudFormation.send(new DescribeStacksCommand({ StackName: name })));
  const stack = found?.Stacks?.[0];
  // A change set that was never executed leaves a stack with nothing in it.
  if (!stack || stack.StackStatus === 'REVIEW_IN_PROGRESS' || stack.StackStatus === 'DELETE_COMPLETE') return undefined;
  return {
    status: String(stack.StackStatus),
    isProtected: stack.EnableTerminationProtection ?? false,
    outputs: Object.fromEntries((stack.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue])),
  };
}

/** Whether a resource belongs to the stack. */
export async function hasResource(stack: string, logicalId: string, { cloudFormation }: Aws): Promise<boolean> {
  const input = { StackName: stack, LogicalResourceId: logicalId };
  const found = await unlessNoStack(cloudFormation.send(new DescribeStackResourceCommand(input)));
  const status = found?.StackResourceDetail?.ResourceStatus;
  return status !== undefined && !status.startsWith('DELETE_');
}

export interface StackResource {
  logicalId: string;
  physicalId: string;
  type: string;
  /** Whether it stays when the stack is deleted. */
  isKept: boolean;
  /** The concurrent executions that are reserved for a function. */
  reservedConcurrency: number;
}

interface TemplateResource {
  DeletionPolicy?: string;
  Properties?: { ReservedConcurrentExecutions?: number };
}

/** Lists what belongs to a stack, with what its deployed template says of it. Without a stack, nothing does. */
export async function listResources(stack: string, { cloudFormation }: Aws): Promise<StackResource[]> {
  const summaries: StackResourceSummary[] = [];
  let NextToken: string | undefined;
  do {
    const page = await unlessNoStack(
      cloudFormation.send(new ListStackResourcesCommand({ StackName: stack, NextToken })),
    );
    summaries.push(...(page?.StackResourceSummaries ?? []));
    NextToken = page?.NextToken;
  } while (NextToken !== undefined);
  // What was deleted stays in the list.
  const present = summaries.filter(({ ResourceStatus }) => ResourceStatus !== 'DELETE_COMPLETE');
  if (present.length === 0) return [];
  const { TemplateBody = '{}' } = await cloudFormation.send(new GetTemplateCommand({ StackName: stack }));
  const template = JSON.parse(TemplateBody) as { Resources?: Record<string, TemplateResource | undefined> };
  return present.map(({ LogicalResourceId = '', PhysicalResourceId = '', ResourceType = '' }) => {
    const { DeletionPolicy = 'Delete', Properties = {} } = template.Resources?.[LogicalResourceId] ?? {};
    return {
      logicalId: LogicalResourceId,
      physicalId: PhysicalResourceId,
      type: ResourceType,
      isKept: DeletionPolicy.startsWith('Retain'),
      reservedConcurrency: Properties.ReservedConcurrentExecutions ?? 0,
    };
  });
}

/** CloudFormation has no error of its own for what does not exist. */
async function unlessNoStack<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Error && error.name === 'ValidationError' && /does not exist/.test(error.message))
      return undefined;
    throw error;
  }
}
