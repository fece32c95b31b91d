import { accountId } from '../base/account.ts';
import type { Template, TemplateResource } from './template.ts';

/** How resources of a type are named, and what `Ref` and `Fn::GetAtt …, Arn` make of the name. */
interface Naming {
  readonly property?: string;
  readonly ref: 'name' | 'arn' | 'none';
  arn(name: string, region: string): string;
}

const regional = (service: string, prefix: string) => (name: string, region: string) =>
  `arn:aws:${service}:${region}:${accountId}:${prefix}${name}`;

const namings: Readonly<Record<string, Naming>> = {
  'AWS::ApiGatewayV2::Api': { ref: 'name', arn: regional('execute-api', '') },
  'AWS::DynamoDB::GlobalTable': { property: 'TableName', ref: 'name', arn: regional('dynamodb', 'table/') },
  'AWS::Events::Rule': { property: 'Name', ref: 'name', arn: regional('events', 'rule/') },
  'AWS::IAM::Role': { property: 'RoleName', ref: 'name', arn: (name) => `arn:aws:iam::${accountId}:role/${name}` },
  'AWS::Lambda::Function': { property: 'FunctionName', ref: 'name', arn: regional('lambda', 'function:') },
  'AWS::Logs::LogGroup': {
    property: 'LogGroupName',
    ref: 'name',
    arn: (name, region) => `${regional('logs', 'log-group:')(name, region)}:*`,
  },
  'AWS::S3::Bucket': { property: 'BucketName', ref: 'name', arn: (name) => `arn:aws:s3:::${name}` },
  // A queue's Ref is its URL, which only the server knows.
  'AWS::SQS::Queue': { property: 'QueueName', ref: 'none', arn: regional('sqs', '') },
  'AWS::SecretsManager::Secret': { property: 'Name', ref: 'arn', arn: regional('secretsmanager', 'secret:') },
};

/** The id of a construct that is a direct child of the stack, as in `sam local`. Otherwise the logical id. */
function constructId(logicalId: string, resource: TemplateResource): string {
  const path = resource.Metadata['aws:cdk:path'];
  const [, id, leaf, ...deeper] = typeof path === 'string' ? path.split('/') : [];
  return id && leaf === 'Resource' && deeper.length === 0 ? id : logicalId;
}

function generatedName(logicalId: string, resource: TemplateResource): string {
  if (resource.Type === 'AWS::Lambda::Function') return constructId(logicalId, resource);
  return resource.Type === 'AWS::S3::Bucket' ? logicalId.toLowerCase() : logicalId;
}

/** A resource's name: the template's, or one derived from its logical id. */
export function physicalName(template: Template, logicalId: string): string {
  const resource = template.resources.get(logicalId);
  if (!resource) return logicalId;
  const property = namings[resource.Type]?.property;
  const explicit = property && resource.Properties[property];
  return typeof explicit === 'string' ? explicit : generatedName(logicalId, resource);
}

/** The value of `Ref` (no attribute) or `Fn::GetAtt` for a resource, if it follows from the name alone. */
export function physicalId(
  template: Template,
  region: string,
  logicalId: string,
  attribute?: string,
): string | undefined {
  const naming = namings[template.resources.get(logicalId)?.Type ?? ''];
  if (!naming) return undefined;
  const name = physicalName(template, logicalId);
  const wanted = attribute ?? naming.ref;
  if (wanted === 'name' || (attribute !== undefined && attribute === naming.property)) return name;
  return wanted === 'arn' || wanted === 'Arn' ? naming.arn(name, region) : undefined;
}
