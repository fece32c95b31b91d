import { CfnResource } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Fixes the id by which CloudFormation identifies a resource with data or an address. A changed id would replace the
 * resource with a new, empty one. With a fixed id, the code around the resource can move freely.
 */
export function pinLogicalId({ node }: IConstruct, logicalId: string): void {
  if (!CfnResource.isCfnResource(node.defaultChild)) throw new Error(`${node.path} is not one CloudFormation resource`);
  node.defaultChild.overrideLogicalId(logicalId);
}
