import { resolveName } from '#shared/adapters/egress/resolve.ts';
import { checkResolvedUrl } from '#shared/adapters/egress/url.ts';
import { provider } from '../provider.ts';
import { outgoing } from '../resources/outgoing.ts';

/** What is wrong with a customer's URL that is about to be saved; its name is resolved. */
export const checkUrl = provider(
  { outgoing },
  ({ outgoing: { allowList, isOwn } }) =>
    (url: string) =>
      checkResolvedUrl(url, resolveName, allowList, isOwn),
);
