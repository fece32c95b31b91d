import { type FirstAttempt, payloadStore } from '#shared/delivery/notification.ts';
import { type EventNote, eventNoter, type UnknownNumber } from '#shared/ingestion/event-note-store.ts';
import type { IngestionContext } from '#shared/ingestion/ingest.ts';
import type { ServiceEvent } from '#shared/webhooks/event-names.ts';
import type { DeliverySettings, PhoneNumber } from '#shared/webhooks/subscriber.ts';
import { draft } from './fake-flow-context.ts';
import { fakeSentFlows } from './fake-sent-flows.ts';

/** A Flow status that ingestion passed on. */
export interface FollowedStatus {
  waId: string;
  status: string;
  at: number;
}

/** Dependencies of ingestion that know these numbers and record what ingestion passes on. */
export function fakeIngestion(
  numbers: readonly (DeliverySettings & { subscriber: PhoneNumber })[] = [],
  now = Date.UTC(2026, 0, 31),
  sentFlows = fakeSentFlows(),
  /** The workspaces of each business account. */
  workspaces: Readonly<Record<string, readonly DeliverySettings[]>> = {},
) {
  const queued: FirstAttempt[] = [];
  const followed: FollowedStatus[] = [];
  const blobs = new Map<string, string>();
  const lookUps: string[] = [];
  const accountLookUps: string[] = [];
  const announced: ServiceEvent[] = [];
  const noted: ((EventNote & { number: string }) | UnknownNumber)[] = [];

  const context: IngestionContext = {
    async findNumber(phoneNumberId) {
      lookUps.push(phoneNumberId);
      return numbers.find(({ subscriber }) => subscriber.phone_number_id === phoneNumberId);
    },
    businessAccounts: {
      async listWorkspaces(wabaId) {
        accountLookUps.push(wabaId);
        return [...(workspaces[wabaId] ?? [])];
      },
    },
    flows: {
      findByUpstreamId: async (wa_id) => ({ ...draft, wa_id }),
      async followUpstreamStatus({ wa_id: waId }, status, at) {
        followed.push({ waId, status, at });
      },
    },
    announce: async (event) => void announced.push(event),
    payloads: payloadStore({
      put: async (key, text) => void blobs.set(key, text),
      get: async (key) => blobs.get(key),
      delete: async (key) => void blobs.delete(key),
    }),
    queue: {
      async send(messages) {
        queued.push(...messages.map(({ message }) => message as FirstAttempt));
      },
    },
    noteEvents: eventNoter(
      {
        noteNumber: async (number, note) => void noted.push({ number, ...note }),
        noteUnknown: async (number) => void noted.push(number),
      },
      () => now,
    ),
    sentFlows: sentFlows.store,
    isFor: async () => true,
    now: () => now,
  };
  return { context, queued, followed, blobs, lookUps, accountLookUps, announced, noted };
}
