import { ACMClient } from '@aws-sdk/client-acm';
import { ApiGatewayV2Client } from '@aws-sdk/client-apigatewayv2';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SSMClient } from '@aws-sdk/client-ssm';
import { STSClient } from '@aws-sdk/client-sts';

/** The clients of the account to deploy to, with the region and the credentials that AWS's tools find. */
export type Aws = ReturnType<typeof openAws>;

export function openAws(region: string | undefined) {
  const config = region === undefined ? {} : { region };
  return {
    acmIn: (itsRegion: string) => new ACMClient({ region: itsRegion }),
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

/** AWS returned an error with one of these codes. */
export function isCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && codes.includes(error.name);
}

/** Resolves to undefined if AWS says that what was asked for does not exist. */
export async function unlessMissing<T>(call: Promise<T>, ...codes: string[]): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isCode(error, ...codes)) return undefined;
    throw error;
  }
}
