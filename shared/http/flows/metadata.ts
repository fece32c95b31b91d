import * as z from 'zod/mini';
import { flowCategoryIds } from '#shared/domain/flows/catalogue.ts';
import type { FlowMetadata } from '#shared/domain/flows/flow.ts';
import { customerUrlFault, maxUrlLength } from '../customer-url.ts';

/** The specification fixes no length; the upstream's own console and AWS's API stop at 200. */
const maxNameLength = 200;

const name = z.string().check(
  z.refine((text) => text.isWellFormed(), { params: { rule: 'well_formed' } }),
  z.refine((text) => text.trim() !== '', { params: { rule: 'required' } }),
  z.maxLength(maxNameLength),
);

const categories = z.array(z.literal(flowCategoryIds)).check(
  z.minLength(1),
  z.refine((list) => new Set(list).size === list.length, { params: { rule: 'distinct' } }),
);

const customerUrl = z.string().check(
  z.maxLength(maxUrlLength),
  z.refine((text) => [undefined, 'own-address'].includes(customerUrlFault(text)), { params: { rule: 'url' } }),
  z.refine((text) => customerUrlFault(text) !== 'own-address', { params: { rule: 'url_own-address' } }),
);
z.globalRegistry.add(customerUrl, { format: 'uri' });

/** Body of create and of update. */
export const flowBody = z
  .object({
    name,
    categories,
    endpoint_url: z.optional(z.nullable(customerUrl)),
    endpoint_encrypted: z.optional(z.boolean()),
  })
  .check(
    z.refine((body) => typeof body.endpoint_url !== 'string' || body.endpoint_encrypted !== undefined, {
      path: ['endpoint_encrypted'],
      params: { rule: 'required_with', other: 'endpoint_url' },
      when: ({ value }) => typeof value === 'object' && value !== null,
    }),
  );
z.globalRegistry.add(flowBody, { id: 'FlowMetadata' });

/** The metadata that a create or update body stands for: what it leaves out has its default. */
export function metadataFrom(body: z.output<typeof flowBody>): FlowMetadata {
  return {
    name: body.name,
    categories: body.categories,
    endpoint_url: body.endpoint_url ?? null,
    endpoint_encrypted: body.endpoint_encrypted ?? true,
  };
}
