import { describe, expect, it } from 'vitest';
import { deliveryKeptMs } from '#shared/delivery/delivery.ts';
import { payloadStore } from '#shared/delivery/notification.ts';
import { validForMs } from '#shared/media/media-copy-store.ts';
import { uploadKeptDays } from '#shared/media/media-limits.ts';
import { devTemplate, prodTemplate, render, resourcesOfType } from '../../support/aws/synthesised-template.ts';

interface Lifecycle {
  Rules: { ExpirationInDays?: number; Prefix?: string }[];
}

const dev = devTemplate();
const prod = prodTemplate();

/** A changed id replaces the resource: its data is lost, or its address changes. */
const pinnedIds = {
  Table: 'AWS::DynamoDB::GlobalTable',
  Bucket: 'AWS::S3::Bucket',
  UpstreamSecret: 'AWS::SecretsManager::Secret',
  NotificationQueue: 'AWS::SQS::Queue',
  NotificationQueueDeadLetters: 'AWS::SQS::Queue',
  Api: 'AWS::ApiGatewayV2::Api',
};

describe('a resource with data or an address', () => {
  it.each([
    ['dev', dev],
    ['prod', prod],
  ])('keeps its logical id, stage %s', (_, { Resources }) => {
    const ids = Object.entries(Resources).filter(([, { Type }]) => Object.values(pinnedIds).includes(Type));
    expect(Object.fromEntries(ids.map(([id, { Type }]) => [id, Type]))).toEqual(pinnedIds);
  });

  it('remains in prod when the stack is deleted', () => {
    const { Api, ...holdingData } = pinnedIds;
    for (const id of Object.keys(holdingData)) {
      expect(prod.Resources[id], id).toMatchObject({
        DeletionPolicy: expect.stringMatching(/^Retain/),
        UpdateReplacePolicy: 'Retain',
      });
    }
    for (const { DeletionPolicy } of resourcesOfType(prod, 'AWS::Logs::LogGroup'))
      expect(DeletionPolicy).toMatch(/^Retain/);
  });

  it('is removed if the first deployment is rolled back, so that its name can be used again', () => {
    for (const id of ['Bucket', 'UpstreamSecret', 'NotificationQueue', 'NotificationQueueDeadLetters']) {
      expect(prod.Resources[id]?.DeletionPolicy, id).toBe('RetainExceptOnCreate');
    }
  });

  it('remains after a rollback if deletion protection would make the rollback fail', () => {
    expect(prod.Resources.Table?.DeletionPolicy).toBe('Retain');
  });

  it('is deleted with the stack in dev', () => {
    for (const { logicalId, DeletionPolicy } of Object.keys(pinnedIds).map((id) => ({
      logicalId: id,
      ...dev.Resources[id],
    }))) {
      expect(DeletionPolicy ?? 'Delete', logicalId).toBe('Delete');
    }
  });
});

describe('the table', () => {
  const replica = { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } };

  it('has string keys, two indexes of keys only, and a time to live', () => {
    const key = (name: string) => [
      { AttributeName: `${name}pk`, KeyType: 'HASH' },
      { AttributeName: `${name}sk`, KeyType: 'RANGE' },
    ];
    expect(dev.Resources.Table?.Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: key(''),
      AttributeDefinitions: ['', 'gsi1', 'gsi2'].flatMap((name) => [
        { AttributeName: `${name}pk`, AttributeType: 'S' },
        { AttributeName: `${name}sk`, AttributeType: 'S' },
      ]),
      GlobalSecondaryIndexes: ['gsi1', 'gsi2'].map((name) => ({
        IndexName: name,
        KeySchema: key(name),
        Projection: { ProjectionType: 'KEYS_ONLY' },
      })),
      TimeToLiveSpecification: { AttributeName: 'expires_at_seconds', Enabled: true },
    });
  });

  it('has point-in-time recovery, and in prod deletion protection', () => {
    expect(dev.Resources.Table?.Properties.Replicas).toMatchObject([{ ...replica, DeletionProtectionEnabled: false }]);
    expect(prod.Resources.Table?.Properties.Replicas).toMatchObject([{ ...replica, DeletionProtectionEnabled: true }]);
  });
});

describe('the bucket', () => {
  it('is private and encrypted', () => {
    expect(dev.Resources.Bucket?.Properties).toMatchObject({
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    });
  });
});

describe('objects that the bucket deletes by itself', () => {
  const [bucket] = resourcesOfType<{ LifecycleConfiguration: Lifecycle }>(dev, 'AWS::S3::Bucket');
  const rules = bucket?.Properties.LifecycleConfiguration.Rules ?? [];
  const ruleFor = (prefix: string) => rules.find(({ Prefix }) => Prefix === prefix);

  it('include the bodies of notifications, after their deliveries', async () => {
    const rule = ruleFor('notifications/');
    const keys: string[] = [];
    const blobs = {
      put: async (key: string) => void keys.push(key),
      get: async () => undefined,
      delete: async () => {},
    };
    await payloadStore(blobs).keep('number', 'delivery', 'x'.repeat(1_000_000));
    expect(keys).toEqual([expect.stringMatching(new RegExp(`^${rule?.Prefix}`))]);
    expect((rule?.ExpirationInDays ?? 0) * 86_400_000).toBeGreaterThan(deliveryKeptMs);
  });

  it('include the copies of media, after their use', () => {
    const days = ruleFor('media/')?.ExpirationInDays ?? 0;
    expect(days * 86_400_000).toBeGreaterThan(validForMs.ready);
  });

  it('include the files of uploads, after they can be completed', () => {
    const days = ruleFor('uploads/')?.ExpirationInDays ?? 0;
    expect(days).toBeGreaterThan(uploadKeptDays);
  });

  it('include incomplete uploads, and nothing else', () => {
    const others = rules.filter(({ Prefix }) => !['notifications/', 'media/', 'uploads/'].includes(String(Prefix)));
    expect(others).toEqual([{ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 }, Status: 'Enabled' }]);
  });
});

describe('the upstream secret', () => {
  it('is generated with unchanged settings, because a change would overwrite the operators’ values', () => {
    expect(prod.Resources.UpstreamSecret?.Properties).toMatchObject({
      Name: 'messaging/prod/upstream',
      GenerateSecretString: {
        SecretStringTemplate: '{"access_token":"","app_secret":""}',
        GenerateStringKey: 'verify_token',
        ExcludePunctuation: true,
      },
    });
  });
});

describe('the notification queue', () => {
  const queue = dev.Resources.NotificationQueue?.Properties ?? {};
  const deadLetters = dev.Resources.NotificationQueueDeadLetters?.Properties ?? {};

  it('moves messages to the dead letters after twenty or more receives, which takes an hour', () => {
    const { deadLetterTargetArn, maxReceiveCount } = queue.RedrivePolicy as Record<string, unknown>;
    expect(render(deadLetterTargetArn)).toBe('<NotificationQueueDeadLetters.Arn>');
    expect(maxReceiveCount).toBeGreaterThanOrEqual(20);
  });

  it('keeps dead letters for 14 days, longer than any message', () => {
    expect(deadLetters.MessageRetentionPeriod).toBe(14 * 86_400);
    expect(queue.MessageRetentionPeriod).toBeLessThanOrEqual(7 * 86_400);
  });

  it('is encrypted, and so are its dead letters', () => {
    expect([queue, deadLetters]).toMatchObject([{ SqsManagedSseEnabled: true }, { SqsManagedSseEnabled: true }]);
  });
});
