import { outgoingAllowList } from './allow-list.ts';
import { createSender, type Sender } from './send.ts';

/** What a deployed function sends to customers' URLs with, by its environment. */
export function outgoingSender(): Sender {
  return createSender({ allowList: outgoingAllowList });
}
