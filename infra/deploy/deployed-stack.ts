import { ApiGatewayV2Client } from '@aws-sdk/client-apigatewayv2';
import {
  CloudFormationClient,
  GetTemplateCommand,
  paginateListStackResources,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SSMClient } from '@aws-sdk/client-ssm';
import { STSClient } from '@aws-sdk/client-sts';
import type { Settings } from '../settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The clients of the account to deploy to, with the region and the credentials that AWS's tools find. */
export type Aws = ReturnType<typeof openAws>;

export function openAws(environment: Environment) {
  // The AWS SDK does not read the second variable, and the CDK does.
  const region = environment.AWS_REGION || environment.AWS_DEFAULT_REGION;
  const config = region ? { region } : {};
  return {
    apiGateway: new ApiGatewayV2Client(config),
    cloudFormation: new CloudFormationClient(config),
    dynamoDb: new DynamoDBClient(config),
    lambda: new LambdaClient(config),
    s3: new S3Client(config),
    secretsManager: new SecretsManagerClient(config),
    ssm: new SSMClient(config),
    sts: new STSClient(config),
  };
}

export const noRegion = 'No AWS region is configured. Set AWS_REGION, such as AWS_REGION=eu-west-1.';

/** The region that AWS's tools find. */
export async function regionOf({ sts }: Aws): Promise<string | undefined> {
  try {
    return await sts.config.region();
  } catch {
    return undefined;
  }
}

/** What is read of the template of a stack. */
export interface Template {
  /** The settings of the deployment. */
  Metadata?: { Settings?: Settings };
  Resources?: Record<
    string,
    { DeletionPolicy?: string; Properties?: { ReservedConcurrentExecutions?: number } } | undefined
  >;
}

/** Reads the template that is deployed. */
export async function readTemplate(stack: string, { cloudFormation }: Aws): Promise<Template> {
  const { TemplateBody = '{}' } = await cloudFormation.send(new GetTemplateCommand({ StackName: stack }));
  return JSON.parse(TemplateBody) as Template;
}

export interface StackResource {
  logicalId: string;
  physicalId: string;
  type: string;
  /** Whether it stays when the stack is deleted. */
  isKept: boolean;
}

/** Lists what belongs to a stack. */
export async function listResources(stack: string, aws: Aws): Promise<StackResource[]> {
  const summaries: StackResourceSummary[] = [];
  const pages = paginateListStackResources({ client: aws.cloudFormation }, { StackName: stack });
  for await (const { StackResourceSummaries = [] } of pages) summaries.push(...StackResourceSummaries);
  const { Resources } = await readTemplate(stack, aws);
  // What was deleted stays in the list.
  return summaries
    .filter(({ ResourceStatus }) => ResourceStatus !== 'DELETE_COMPLETE')
    .map(({ LogicalResourceId = '', PhysicalResourceId = '', ResourceType = '' }) => ({
      logicalId: LogicalResourceId,
      physicalId: PhysicalResourceId,
      type: ResourceType,
      isKept: Resources?.[LogicalResourceId]?.DeletionPolicy?.startsWith('Retain') ?? false,
    }));
}
