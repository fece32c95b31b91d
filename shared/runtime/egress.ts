import type { ExchangeLimits } from '#shared/adapters/egress/exchange.ts';
import { resolveName } from '#shared/adapters/egress/resolve.ts';
import { createSender } from '#shared/adapters/egress/send.ts';
import { checkResolvedUrl } from '#shared/adapters/egress/url.ts';
import { deploymentMark } from '#shared/base/mark.ts';
import type { Sender } from '#shared/domain/egress/sender.ts';
import type { UrlFault } from '#shared/domain/egress/url-fault.ts';
import { outgoingAllowList, ownAddresses } from './egress-environment.ts';

/** What a deployed function sends to customers' URLs with, by its environment. */
export function outgoingSender(limits: Partial<ExchangeLimits> = {}): Sender {
  return createSender({ allowList: outgoingAllowList, isOwn: ownAddresses, mark: deploymentMark(), ...limits });
}

/** What is wrong with a customer's URL that is about to be saved, by the environment of a deployed function. */
export function checkCustomerUrl(url: string): Promise<UrlFault | undefined> {
  return checkResolvedUrl(url, resolveName, outgoingAllowList, ownAddresses);
}
