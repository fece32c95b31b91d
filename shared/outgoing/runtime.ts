import { outgoingAllowList, ownAddresses } from './environment.ts';
import type { ExchangeLimits } from './exchange.ts';
import { deploymentMark } from './mark.ts';
import { resolveName } from './resolve.ts';
import { createSender, type Sender } from './send.ts';
import { checkResolvedUrl, type UrlFault } from './url.ts';

/** What a deployed function sends to customers' URLs with, by its environment. */
export function outgoingSender(limits: Partial<ExchangeLimits> = {}): Sender {
  return createSender({ allowList: outgoingAllowList, isOwn: ownAddresses, mark: deploymentMark(), ...limits });
}

/** What is wrong with a customer's URL that is about to be saved, by the environment of a deployed function. */
export function checkCustomerUrl(url: string): Promise<UrlFault | undefined> {
  return checkResolvedUrl(url, resolveName, outgoingAllowList, ownAddresses);
}
