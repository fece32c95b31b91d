import { parseAllowList } from '#shared/egress/addresses.ts';
import { checkUrl, parseOwnAddresses } from '#shared/egress/url-rules.ts';
import { parsedBy, resource } from '#shared/operations/resource.ts';

/** Returns what is wrong with a customer's URL, without a DNS lookup. */
export const customerUrls = /* @__PURE__ */ resource(
  'customerUrls',
  { EGRESS_ALLOWED_CIDRS: parsedBy(parseAllowList), OWN_URLS: parsedBy(parseOwnAddresses) },
  ({ EGRESS_ALLOWED_CIDRS: allowList, OWN_URLS: isOwn }) =>
    (url: string) =>
      checkUrl(url, allowList, isOwn),
);
