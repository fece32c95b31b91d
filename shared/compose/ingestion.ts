import { businessAccountStore } from '#shared/accounts/business-account-store.ts';
import { blobStore } from '#shared/aws/bucket.ts';
import { announce } from '#shared/delivery/first-attempts.ts';
import { payloadStore } from '#shared/delivery/payload-store.ts';
import { flowStore } from '#shared/flows/flow-store.ts';
import { eventNoteStore } from '#shared/ingestion/event-note-store.ts';
import { eventNoter } from '#shared/ingestion/event-notes.ts';
import type { IngestionContext } from '#shared/ingestion/ingest.ts';
import { sentFlowStore } from '#shared/messages/sent-flow-store.ts';
import { bucket } from '#shared/operations/resources/bucket.ts';
import { queue } from '#shared/operations/resources/queue.ts';
import { table } from '#shared/operations/resources/table.ts';
import { provider } from '#shared/operations/serve.ts';
import { targetStore } from '#shared/webhooks/target-store.ts';

/** What the ingestion of events needs, besides what only the request tells. */
export const ingestion = /* @__PURE__ */ provider(
  { table, bucket, queue },
  ({ table, bucket, queue }, now): Omit<IngestionContext, 'isFor'> => ({
    findNumber: targetStore(table).findByPhoneNumberId,
    businessAccounts: businessAccountStore(table),
    announce: (event) => announce(event, { targets: targetStore(table), queue, now }),
    flows: flowStore(table),
    payloads: payloadStore(blobStore(bucket)),
    queue,
    noteEvents: eventNoter(eventNoteStore(table, now), now),
    sentFlows: sentFlowStore(table),
    now,
  }),
);
