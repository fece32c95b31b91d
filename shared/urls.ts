import type { AllowList } from './outgoing/addresses.ts';
import { outgoingAllowList } from './outgoing/allow-list.ts';
import { checkUrl } from './outgoing/url.ts';

/** Longest URL that is taken for an endpoint. */
export const maxUrlLength = 2_000;

/** Whether `text` is a URL of a customer's that the service may call, as far as can be told without looking it up. */
export function isCustomerUrl(text: string, allowList: AllowList = outgoingAllowList): boolean {
  return checkUrl(text, allowList) === undefined;
}
