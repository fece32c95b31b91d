import { describe, expect, it } from 'vitest';
import { resolverOf, templateOf } from '#support/aws/template.ts';
import { readBuckets, readSecrets } from './storage.ts';

describe('readBuckets and readSecrets', () => {
  it('return the names of buckets and secrets', () => {
    const template = templateOf({
      Media: { Type: 'AWS::S3::Bucket' },
      Platform: { Type: 'AWS::SecretsManager::Secret', Properties: { Name: 'upstream/platform' } },
    });
    const resolve = resolverOf(template);
    expect(readBuckets(template, resolve)).toEqual([{ logicalId: 'Media', name: 'media' }]);
    expect(readSecrets(template, resolve)).toEqual([{ logicalId: 'Platform', name: 'upstream/platform' }]);
  });
});
