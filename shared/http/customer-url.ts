import { checkUrl } from '#shared/adapters/egress/url.ts';
import type { UrlFault } from '#shared/domain/egress/url-fault.ts';
import { outgoingAllowList, ownAddresses } from '#shared/runtime/egress-environment.ts';

/** Longest URL that is taken for an endpoint. */
export const maxUrlLength = 2_000;

/** What is wrong with a customer's URL as far as can be told without looking it up, by the environment. */
export function customerUrlFault(text: string): UrlFault | undefined {
  return checkUrl(text, outgoingAllowList, ownAddresses);
}
