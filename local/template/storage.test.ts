import { describe, expect, it } from 'vitest';
import { readBuckets, readSecrets } from './storage.ts';
import { resolverOf, templateOf } from './testing.ts';

describe('readBuckets and readSecrets', () => {
  it('gives names', () => {
    const template = templateOf({
      Media: { Type: 'AWS::S3::Bucket' },
      Platform: { Type: 'AWS::SecretsManager::Secret', Properties: { Name: 'upstream/platform' } },
    });
    const resolve = resolverOf(template);
    expect(readBuckets(template, resolve)).toEqual([{ logicalId: 'Media', name: 'media' }]);
    expect(readSecrets(template, resolve)).toEqual([{ logicalId: 'Platform', name: 'upstream/platform' }]);
  });
});
