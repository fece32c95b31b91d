import { markOf } from '#shared/base/mark.ts';
import { parseAllowList } from '#shared/egress/addresses.ts';
import { parseOwnAddresses } from '#shared/egress/url-rules.ts';
import { milliseconds, parsedBy, resource, text } from '#shared/operations/resource.ts';

/** Settings for requests to customers' URLs. */
export const egress = /* @__PURE__ */ resource(
  'egress',
  {
    EGRESS_ALLOWED_CIDRS: parsedBy(parseAllowList),
    OWN_URLS: parsedBy(parseOwnAddresses),
    DEPLOYMENT_ID: text,
    DELIVERY_TIMEOUT_MS: milliseconds,
  },
  ({ EGRESS_ALLOWED_CIDRS: allowList, OWN_URLS: isOwn, DEPLOYMENT_ID, DELIVERY_TIMEOUT_MS: timeoutMs }) => ({
    allowList,
    isOwn,
    mark: markOf(DEPLOYMENT_ID),
    /** Limits one whole attempt. */
    timeoutMs,
  }),
);
