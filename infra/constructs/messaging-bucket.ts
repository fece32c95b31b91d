import { Duration, Validations } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { deliveryKeptDays } from '#shared/domain/deliveries/limits.ts';
import { mediaCopyKeptDays, uploadKeptDays } from '#shared/domain/media/limits.ts';
import type { Config } from '../config.ts';
import { pinLogicalId } from './pin-logical-id.ts';

/** Stores values that are too large for an item of the table, and files that are too large for a response. */
export class MessagingBucket extends Bucket {
  constructor(scope: Construct, id: string, { removalPolicy }: Config) {
    super(scope, id, {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      lifecycleRules: [
        { abortIncompleteMultipartUploadAfter: Duration.days(1) },
        // A day longer than the delivery log, whose entries refer to these objects.
        { prefix: 'notifications/', expiration: Duration.days(deliveryKeptDays + 1) },
        // A day longer than the service hands out a copy.
        { prefix: 'media/', expiration: Duration.days(mediaCopyKeptDays + 1) },
        // A day longer than an upload can be completed.
        { prefix: 'uploads/', expiration: Duration.days(uploadKeptDays + 1) },
      ],
      removalPolicy,
    });
    pinLogicalId(this, id);
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Only the functions reach the bucket, each by its own role; what they do is in their logs.',
    });
  }
}
