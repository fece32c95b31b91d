import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import { type Subscriber, workspaceSubscriber } from '#shared/domain/subscribers/subscriber.ts';

/** The subscriber that a path names: a number, or else a workspace. */
export function subscriberOf(request: { number: PhoneNumber } | { workspace: Workspace }): Subscriber {
  return 'number' in request ? request.number : workspaceSubscriber(request.workspace);
}
