import type { ServiceEventType } from './event-names.ts';

/** Something that happened in this service and concerns a workspace. */
export interface ServiceEvent {
  workspace: string;
  type: ServiceEventType;
  /** When it happened, in epoch milliseconds. */
  at: number;
  /** Identifies the event, together with its type and time, so that the service recognises a repeat. */
  subject: string;
  data: Readonly<Record<string, unknown>>;
}

/** Queues an event for the webhook of its workspace, if that has one. A repeat of the event gets the same id. */
export type Announce = (event: ServiceEvent) => Promise<void>;
