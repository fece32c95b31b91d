import { createSender } from '#shared/adapters/egress/send.ts';
import { provider } from '../provider.ts';
import { outgoing } from '../resources/outgoing.ts';

/** Sends notifications to customers' URLs. */
export const sender = provider({ outgoing }, ({ outgoing: { allowList, isOwn, mark } }) =>
  createSender({ allowList, isOwn, mark }),
);
