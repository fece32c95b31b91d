import * as z from 'zod/mini';
import { physicalName } from './physical-ids.ts';
import type { Resolve } from './resolve.ts';
import { mapResources } from './resources.ts';
import type { Template } from './template.ts';

/** A resource of which only the name matters. */
export interface NamedResource {
  readonly logicalId: string;
  readonly name: string;
}

const readNames = (type: string) => (template: Template, resolve: Resolve) =>
  mapResources(
    template,
    resolve,
    type,
    z.object({}),
    ({ logicalId }): NamedResource => ({ logicalId, name: physicalName(template, logicalId) }),
  );

export const readBuckets = readNames('AWS::S3::Bucket');
export const readSecrets = readNames('AWS::SecretsManager::Secret');
