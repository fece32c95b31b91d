/** The types that the modules of this folder read. */
const served: ReadonlySet<string> = new Set([
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::Stage',
  'AWS::DynamoDB::GlobalTable',
  'AWS::DynamoDB::Table',
  'AWS::Events::Rule',
  'AWS::IAM::ManagedPolicy',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::S3::Bucket',
  'AWS::SQS::Queue',
  'AWS::Scheduler::Schedule',
  'AWS::SecretsManager::Secret',
]);

/** Types without effect on one machine: permissions to call, logs, alarms, keys, and what only a deployment needs. */
const ignored: readonly RegExp[] = [
  /^AWS::CDK::Metadata$/,
  /^AWS::CloudWatch::/,
  /^AWS::KMS::/,
  /^AWS::Lambda::EventInvokeConfig$/,
  /^AWS::Lambda::Permission$/,
  /^AWS::Logs::/,
  /^AWS::S3::BucketPolicy$/,
  /^AWS::SNS::/,
  /^AWS::SQS::QueuePolicy$/,
  /^Custom::/,
];

/** Why the local world cannot serve a resource; `undefined` if it can, or if there is nothing to serve. */
export function reasonNotServed(resource: { Type: string; Condition?: string | undefined }): string | undefined {
  if (ignored.some((pattern) => pattern.test(resource.Type))) return undefined;
  if (!served.has(resource.Type)) return 'the local world cannot serve this type of resource';
  return resource.Condition && 'the local world serves no conditional resources';
}
