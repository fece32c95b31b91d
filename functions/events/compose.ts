import { verifyTokenStore } from '#shared/accounts/credentials-store.ts';
import { businessAccountStore } from '#shared/accounts/workspace-store.ts';
import { blobStore } from '#shared/aws/bucket.ts';
import { announce } from '#shared/delivery/announce-target.ts';
import { payloadStore } from '#shared/delivery/notification.ts';
import { flowStore } from '#shared/flows/flow-store.ts';
import { eventNoter, eventNoteStore } from '#shared/ingestion/event-note-store.ts';
import type { IngestionContext } from '#shared/ingestion/ingest.ts';
import { sentFlowStore } from '#shared/messages/sent-flow-store.ts';
import { bucket, credentialsOf, queue, table } from '#shared/operations/compose.ts';
import type { Environment } from '#shared/operations/contract.ts';
import { targetStore } from '#shared/webhooks/subscriber-store.ts';

/** The credentials of the deployment. */
export const credentials = (environment: Environment<'credentials'>) => credentialsOf(environment)(undefined);

export const verifyTokens = (environment: Environment<'table'>) => verifyTokenStore(table(environment));

/** What the ingestion of events needs, besides what only the request tells. */
export const ingestion = (environment: Environment<'table' | 'bucket' | 'queue'>): Omit<IngestionContext, 'isFor'> => {
  const opened = table(environment);
  const targets = targetStore(opened);
  const now = Date.now;
  return {
    findNumber: targets.findByPhoneNumberId,
    businessAccounts: businessAccountStore(opened),
    announce: (event) => announce(event, { targets, queue: queue(environment), now }),
    flows: flowStore(opened),
    payloads: payloadStore(blobStore(bucket(environment))),
    queue: queue(environment),
    noteEvents: eventNoter(eventNoteStore(opened, now), now),
    sentFlows: sentFlowStore(opened),
    now,
  };
};
