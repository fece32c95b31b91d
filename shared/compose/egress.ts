import { resolveName } from '#shared/egress/addresses.ts';
import { createSender } from '#shared/egress/sender.ts';
import { checkResolvedUrl } from '#shared/egress/url-rules.ts';
import { customerUrls } from '#shared/operations/resources/customer-urls.ts';
import { egress } from '#shared/operations/resources/egress.ts';
import { provider } from '#shared/operations/serve.ts';

/** Milliseconds for one whole attempt. */
export const timeoutMs = /* @__PURE__ */ provider({ egress }, ({ egress }) => egress.timeoutMs);

/** Sends notifications to customers' URLs. */
export const sender = /* @__PURE__ */ provider({ egress }, ({ egress: { allowList, isOwn, mark } }) =>
  createSender({ allowList, isOwn, mark }),
);

/** Returns what is wrong with a customer's URL before it is saved. This resolves the host name. */
export const checkUrl = /* @__PURE__ */ provider(
  { egress },
  ({ egress: { allowList, isOwn } }) =>
    (url: string) =>
      checkResolvedUrl(url, resolveName, allowList, isOwn),
);

/** Returns what is wrong with a Flow's `endpoint_url`, without a DNS lookup. */
export const endpointUrlFault = /* @__PURE__ */ provider({ customerUrls }, ({ customerUrls }) => customerUrls);
