import { markOf } from '#shared/base/mark.ts';
import { resource, text } from '#shared/operations/resource.ts';

/**
 * The API that an operation belongs to: its address without a trailing slash, the one at which the platform and contacts
 * reach it, and the mark of its deployment.
 */
export const api = /* @__PURE__ */ resource(
  'api',
  { BASE_URL: text, PUBLIC_URL: text, DEPLOYMENT_ID: text },
  ({ BASE_URL, PUBLIC_URL, DEPLOYMENT_ID }) => ({
    baseUrl: BASE_URL,
    publicUrl: PUBLIC_URL,
    mark: markOf(DEPLOYMENT_ID),
  }),
);
