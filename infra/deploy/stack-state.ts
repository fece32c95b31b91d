import {
  DescribeStackResourceCommand,
  GetTemplateCommand,
  ListStackResourcesCommand,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import { readStack, type StackState, unlessNoStack } from '#shared/adapters/stack/read-stack.ts';
import type { Aws } from './aws.ts';

export type { StackState };

/** Reads a stack, or resolves with undefined if there is none. */
export const readStackState = (name: string, { cloudFormation }: Aws): Promise<StackState | undefined> =>
  readStack(name, cloudFormation);

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

/** What is read of the template of a stack. */
export interface Template {
  Resources?: Record<string, TemplateResource | undefined>;
}

interface TemplateResource {
  DeletionPolicy?: string;
  Properties?: {
    /** Of a function. */
    ReservedConcurrentExecutions?: number;
    Architectures?: string[];
    Environment?: { Variables?: { UPSTREAM_MEDIA_HOSTS?: string } };
    /** Of a subscription to a topic. */
    Protocol?: string;
    Endpoint?: string;
  };
}

/** Reads the template that is deployed. */
export async function readTemplate(stack: string, { cloudFormation }: Aws): Promise<Template> {
  const { TemplateBody = '{}' } = await cloudFormation.send(new GetTemplateCommand({ StackName: stack }));
  return JSON.parse(TemplateBody) as Template;
}

/** Lists what belongs to a stack, with what its deployed template says of it. Without a stack, nothing does. */
export async function listResources(stack: string, aws: Aws): Promise<StackResource[]> {
  const summaries: StackResourceSummary[] = [];
  let NextToken: string | undefined;
  do {
    const page = await unlessNoStack(
      aws.cloudFormation.send(new ListStackResourcesCommand({ StackName: stack, NextToken })),
    );
    summaries.push(...(page?.StackResourceSummaries ?? []));
    NextToken = page?.NextToken;
  } while (NextToken !== undefined);
  // What was deleted stays in the list.
  const present = summaries.filter(({ ResourceStatus }) => ResourceStatus !== 'DELETE_COMPLETE');
  if (present.length === 0) return [];
  const { Resources } = await readTemplate(stack, aws);
  return present.map(({ LogicalResourceId = '', PhysicalResourceId = '', ResourceType = '' }) => {
    const { DeletionPolicy = 'Delete', Properties = {} } = Resources?.[LogicalResourceId] ?? {};
    return {
      logicalId: LogicalResourceId,
      physicalId: PhysicalResourceId,
      type: ResourceType,
      isKept: DeletionPolicy.startsWith('Retain'),
      reservedConcurrency: Properties.ReservedConcurrentExecutions ?? 0,
    };
  });
}
