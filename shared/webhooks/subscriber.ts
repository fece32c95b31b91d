import { ServiceError } from '#shared/base/service-error.ts';

/** What gets notifications: a number, or a workspace, which gets what belongs to none of its numbers. */
export interface Subscriber {
  /** A number's id or a workspace's. Both are UUIDs, so an id is never that of two subscribers. */
  id: string;
  /** The number's workspace, or the workspace itself. */
  workspace: string;
  active: boolean;
}

/** A workspace as a subscriber. */
export function workspaceSubscriber({ id }: { id: string }): Subscriber {
  return { id, workspace: id, active: true };
}

/** Whether the subscriber is a workspace, not a number. */
export function isWorkspace({ id, workspace }: Pick<Subscriber, 'id' | 'workspace'>): boolean {
  return id === workspace;
}

/** The error for a subscriber that was deleted after the request was authorised. */
export function subscriberNotFound(subscriber: Subscriber): ServiceError {
  return new ServiceError(isWorkspace(subscriber) ? 'workspace.not-found' : 'number.not-found');
}
