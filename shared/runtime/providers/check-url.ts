import { resolveName } from '#shared/adapters/egress/resolve.ts';
import { checkResolvedUrl } from '#shared/adapters/egress/url.ts';
import { provider } from '../provider.ts';
import { outgoing } from '../resources/outgoing.ts';

/** Returns what is wrong with a customer's URL before it is saved. This resolves the host name. */
export const checkUrl = provider(
  { outgoing },
  ({ outgoing: { allowList, isOwn } }) =>
    (url: string) =>
      checkResolvedUrl(url, resolveName, allowList, isOwn),
);
