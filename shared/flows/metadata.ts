import type * as z from 'zod/mini';
import type { FlowMetadata } from './flow.ts';
import type { flowBody } from './schemas.ts';

/** The metadata that a create or update body stands for: what it leaves out has its default. */
export function metadataFrom(body: z.output<typeof flowBody>): FlowMetadata {
  return {
    name: body.name,
    categories: body.categories,
    endpoint_url: body.endpoint_url ?? null,
    endpoint_encrypted: body.endpoint_encrypted ?? true,
  };
}
