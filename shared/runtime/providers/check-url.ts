import { resolveName } from '#shared/adapters/egress/resolve.ts';
import { checkResolvedUrl } from '#shared/adapters/egress/url.ts';
import { provider } from '../provider.ts';
import { egress } from '../resources/egress.ts';

/** Returns what is wrong with a customer's URL before it is saved. This resolves the host name. */
export const checkUrl = provider(
  { egress },
  ({ egress: { allowList, isOwn } }) =>
    (url: string) =>
      checkResolvedUrl(url, resolveName, allowList, isOwn),
);
