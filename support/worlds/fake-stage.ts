import { defaultUpstream } from '#shared/operations/stage.ts';
import type { FakeAws } from '#support/fakes/fake-aws.ts';
import type { TestWorld } from './world.ts';

/**
 * Makes a local world the stage `dev`: the outputs of its stack and its alarms come from a server that responds as AWS
 * does. Returns the environment of a command that works on it.
 */
export function stageOf(world: TestWorld, aws: FakeAws, alarms: Record<string, string> = {}): Record<string, string> {
  const { base_url, code_version, upstream_url, aws: places } = world.description;
  const outputs = {
    BaseUrl: base_url,
    TableName: places.table_name,
    BucketName: places.bucket_name,
    UpstreamSecretName: places.upstream_secret,
    UpstreamBaseUrl: upstream_url,
    UpstreamGraphVersion: defaultUpstream.graphVersion,
    CodeVersion: code_version,
    DeadLetterQueueUrl: String(places.queue_urls.NotificationQueueDeadLetters),
  };
  aws.set({
    'cloudformation:DescribeStacks': () => ({
      Stacks: [
        {
          StackName: 'messaging-dev',
          CreationTime: '2026-11-25T00:00:00Z',
          StackStatus: 'CREATE_COMPLETE',
          Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
        },
      ],
    }),
    'monitoring:DescribeAlarms': () => ({
      MetricAlarms: Object.entries(alarms).map(([AlarmName, StateValue]) => ({ AlarmName, StateValue })),
    }),
  });
  const { accessKeyId, secretAccessKey } = world.administrator;
  return {
    ...aws.environment,
    AWS_REGION: places.region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: places.dynamodb,
    AWS_ENDPOINT_URL_S3: places.s3,
    AWS_ENDPOINT_URL_SQS: places.sqs,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: places.secrets_manager,
  };
}
