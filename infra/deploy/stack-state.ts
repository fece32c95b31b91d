import {
  DescribeStackResourceCommand,
  GetTemplateCommand,
  ListStackResourcesCommand,
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
}

/** Lists what belongs to a stack, and whether its deployed template keeps it. */
export async function listResources(stack: string, { cloudFormation }: Aws): Promise<StackResource[]> {
  const { TemplateBody = '{}' } = await cloudFormation.send(new GetTemplateCommand({ StackName: stack }));
  const template = JSON.parse(TemplateBody) as { Resources?: Record<string, { DeletionPolicy?: string } | undefined> };
  const resources: StackResource[] = [];
  let NextToken: string | undefined;
  do {
    const page = await cloudFormation.send(new ListStackResourcesCommand({ StackName: stack, NextToken }));
    for (const { LogicalResourceId = '', PhysicalResourceId = '', ResourceType = '' } of page.StackResourceSummaries ??
      []) {
      const policy = template.Resources?.[LogicalResourceId]?.DeletionPolicy ?? 'Delete';
      resources.push({
        logicalId: LogicalResourceId,
        physicalId: PhysicalResourceId,
        type: ResourceType,
        isKept: policy.startsWith('Retain'),
      });
    }
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return resources;
}
