import { bucketLink } from '#shared/adapters/s3/bucket-link.ts';
import { provider } from '../provider.ts';
import { bucket } from '../resources/bucket.ts';

export const link = provider({ bucket }, ({ bucket }) => bucketLink(bucket));
