import { tokenStore } from '#shared/adapters/dynamodb/accounts/tokens.ts';
import { userStore } from '#shared/adapters/dynamodb/accounts/users.ts';
import { workspaceStore } from '#shared/adapters/dynamodb/accounts/workspaces.ts';
import { contactData } from '#shared/adapters/dynamodb/contact-data.ts';
import { countHeld } from '#shared/adapters/dynamodb/deliveries/count-held.ts';
import { deliveryStore } from '#shared/adapters/dynamodb/deliveries/deliveries.ts';
import { flowStore } from '#shared/adapters/dynamodb/flows/flows.ts';
import { numberStore } from '#shared/adapters/dynamodb/subscribers/numbers.ts';
import { targetStore } from '#shared/adapters/dynamodb/subscribers/targets.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { blobStore } from '#shared/adapters/s3/blobs.ts';
import type { Bucket } from '#shared/adapters/s3/bucket.ts';
import { listObjects } from '#shared/adapters/s3/list-objects.ts';
import { lazy } from '#shared/base/lazy.ts';
import type { Clock } from '#shared/base/time/clock.ts';
import { UsageError } from './failures.ts';
import { hintsFor } from './hints.ts';
import type { Upstream } from './upstream.ts';

/** The service that commands work on, as its table and a way to the platform. */
export interface Target {
  table: Table;
  /** Throws when the configuration does not name the credentials. */
  openUpstream: () => Upstream;
  /** Throws when the configuration does not name the bucket. */
  openBucket?: () => Bucket;
}

/** The stores and clients that commands use. */
export type Service = ReturnType<typeof openService>;

export function openService({ table, openUpstream, openBucket }: Target, now: Clock = Date.now) {
  return {
    workspaces: workspaceStore(table),
    users: userStore(table),
    numbers: numberStore(table),
    deliveries: deliveryStore(table),
    countHeld: (subscriber: string) => countHeld(table, subscriber),
    targets: { read: targetStore(table).read },
    flows: { list: flowStore(table).list },
    tokens: tokenStore(table),
    /** Opened on first use: most commands do not need the platform. */
    upstream: lazy(openUpstream),
    /** What the service keeps about contacts. */
    contacts: lazy(() => contactStorage(table, openBucket)),
    now,
    /** Writes commands for this service; commands replace it with one that knows their options. */
    hint: hintsFor({}),
  };
}

function contactStorage(table: Table, openBucket: Target['openBucket']) {
  if (!openBucket) throw new UsageError('The bucket of this service is unknown.');
  const bucket = openBucket();
  return {
    table: contactData(table),
    bucket: { ...blobStore(bucket), list: (prefix: string) => listObjects(bucket, prefix) },
  };
}
