import { findJava, startDynamoDbLocal } from '#local/aws/dynamodb/dynamodb-local.ts';
import { newAccessKeyId } from '#local/aws/dynamodb/engine.ts';

/** Starts one DynamoDB Local for all tests of the run. Each has a database of its own in it. */
export async function setup(): Promise<() => Promise<void>> {
  const java = findJava();
  if (java === undefined) throw new Error('DynamoDB Local needs Java 17: apt-get install openjdk-17-jre-headless');
  const { url, close } = await startDynamoDbLocal({ java, accessKeyId: newAccessKeyId() });
  // Vitest's workers inherit it, and so do the processes that tests start.
  process.env.AWS_ENDPOINT_URL_DYNAMODB = url;
  return close;
}
