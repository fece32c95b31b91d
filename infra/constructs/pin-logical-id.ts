import { CfnResource } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Fixes the id by which CloudFormation knows a resource that holds data or an address. A changed id means a new, empty
 * resource in place of the old one; pinned, the code around it can move freely.
 */
export function pinLogicalId({ node }: IConstruct, logicalId: string): void {
  if (!CfnResource.isCfnResource(node.defaultChild)) throw new Error(`${node.path} is not one CloudFormation resource`);
  node.defaultChild.overrideLogicalId(logicalId);
}
