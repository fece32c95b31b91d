import { createSender } from '#shared/adapters/egress/send.ts';
import { provider } from '../provider.ts';
import { egress } from '../resources/egress.ts';

/** Sends notifications to customers' URLs. */
export const sender = provider({ egress }, ({ egress: { allowList, isOwn, mark } }) =>
  createSender({ allowList, isOwn, mark }),
);
