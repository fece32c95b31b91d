import { flowStore } from '#shared/adapters/dynamodb/flows/flows.ts';
import { sentFlowStore } from '#shared/adapters/dynamodb/flows/sent-flows.ts';
import { businessAccountStore } from '#shared/adapters/dynamodb/subscribers/business-accounts.ts';
import { eventNoteStore } from '#shared/adapters/dynamodb/subscribers/event-notes.ts';
import { targetStore } from '#shared/adapters/dynamodb/subscribers/targets.ts';
import { blobStore } from '#shared/adapters/s3/blobs.ts';
import { payloadStore } from '#shared/adapters/s3/payloads.ts';
import { announce } from '#shared/domain/deliveries/announce.ts';
import { eventNoter } from '#shared/domain/ingestion/event-notes.ts';
import type { IngestionContext } from '#shared/domain/ingestion/ingest.ts';
import { provider } from '../provider.ts';
import { bucket } from '../resources/bucket.ts';
import { queue } from '../resources/queue.ts';
import { table } from '../resources/table.ts';

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
