import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type AwsService, type Connection, type Environment, endpointFrom } from './connection.ts';

/**
 * Finds the region and the credentials of a person at a terminal, as all of AWS's tools do: in the environment, a
 * profile or a single sign-on. Functions have theirs in the environment and do not need the SDK for that.
 */
export async function operatorConnection(environment: Environment): Promise<(service: AwsService) => Connection> {
  const { config } = new DynamoDBClient();
  const [region, credentials] = [await config.region(), config.credentials];
  return (service) => ({ endpoint: endpointFrom(environment, service, region), region, credentials });
}
