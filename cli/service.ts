import { listOwnApps } from '#shared/adapters/dynamodb/accounts/own-apps.ts';
import { tokenStore } from '#shared/adapters/dynamodb/accounts/tokens.ts';
import { userStore } from '#shared/adapters/dynamodb/accounts/users.ts';
import { verifyTokenStore } from '#shared/adapters/dynamodb/accounts/verify-tokens.ts';
import { workspaceStore } from '#shared/adapters/dynamodb/accounts/workspaces.ts';
import { contactData } from '#shared/adapters/dynamodb/contact-data.ts';
import { countHeld } from '#shared/adapters/dynamodb/deliveries/count-held.ts';
import { deliveryStore } from '#shared/adapters/dynamodb/deliveries/deliveries.ts';
import { flowJsonStore } from '#shared/adapters/dynamodb/flows/flow-json.ts';
import { flowStore } from '#shared/adapters/dynamodb/flows/flows.ts';
import { eventNoteStore } from '#shared/adapters/dynamodb/subscribers/event-notes.ts';
import { numberStore } from '#shared/adapters/dynamodb/subscribers/numbers.ts';
import { targetStore } from '#shared/adapters/dynamodb/subscribers/targets.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { blobStore } from '#shared/adapters/s3/blobs.ts';
import type { Bucket } from '#shared/adapters/s3/bucket.ts';
import { listObjects } from '#shared/adapters/s3/list-objects.ts';
import type { DeadLetters } from '#shared/adapters/sqs/dead-letters.ts';
import type { StackAlarms } from '#shared/adapters/stack/alarms.ts';
import { lazy } from '#shared/base/lazy.ts';
import type { Clock } from '#shared/base/time/clock.ts';
import type { CredentialsOwner } from '#shared/domain/access/upstream-credentials.ts';
import { hintsFor } from './terminal/hints.ts';
import type { Upstream } from './upstream.ts';

/** The service that commands work on, as its table and a way to the platform. */
export interface Target {
  table: Table;
  /** Opens the platform for a workspace or the deployment. */
  openUpstream: (workspace?: CredentialsOwner) => Upstream;
  openBucket: () => Bucket;
  /** The origin at which callers and the platform reach the service. */
  baseUrl: string;
  surroundings: Surroundings;
}

/** What else is known of the service. */
export interface Surroundings {
  /** How AWS's command line is started for the service; `aws` with the settings of the environment by default. */
  awsCommand?: string;
  /** The command that brings the code of this checkout to the service. */
  deployCommand: string;
  /** Which code the service runs. */
  codeVersion: string;
  readDeadLetters: () => Promise<DeadLetters>;
  /** Only a stage has alarms. */
  readAlarms?: () => Promise<StackAlarms>;
  /** Addresses that the service may connect to although they are not public. */
  allowedCidrs?: string;
}

/** A target, or as much of it as a command needs. */
interface PartOfTarget extends Pick<Target, 'table' | 'openUpstream'> {
  openBucket?: Target['openBucket'];
  baseUrl?: string | undefined;
  surroundings?: Partial<Surroundings>;
}

/** The stores and clients that commands use. */
export type Service = ReturnType<typeof openService>;

export function openService(target: PartOfTarget, now: Clock = Date.now) {
  const { table, openUpstream, openBucket, baseUrl, surroundings = {} } = target;
  const bucket = lazy(() => {
    if (!openBucket) throw new Error('The bucket is unknown');
    return openBucket();
  });
  return {
    workspaces: workspaceStore(table),
    users: userStore(table),
    numbers: numberStore(table),
    targets: targetStore(table),
    eventNotes: eventNoteStore(table, now),
    deliveries: deliveryStore(table),
    countHeld: (subscriber: string) => countHeld(table, subscriber),
    flows: flowStore(table),
    flowJson: lazy(() => flowJsonStore(table, blobStore(bucket()))),
    tokens: tokenStore(table),
    verifyTokens: verifyTokenStore(table),
    /** The workspaces with credentials of their own. */
    listOwnApps: () => listOwnApps(table),
    /** Opens the platform, with the credentials that the workspace uses; without one, with those of the deployment. */
    upstream: openUpstream,
    baseUrl,
    surroundings,
    /** What the service keeps about contacts. */
    contacts: lazy(() => ({
      table: contactData(table),
      bucket: { ...blobStore(bucket()), list: (prefix: string) => listObjects(bucket(), prefix) },
    })),
    now,
    /** Writes commands for this service; commands replace it with one that knows their options. */
    hint: hintsFor({}),
  };
}
