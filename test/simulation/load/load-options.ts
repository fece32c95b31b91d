import { assumedServers } from '#local/aws/sqs/servers.ts';

export interface LoadOptions {
  seed: number;
  /** Notifications in all: one for each event and target. */
  notifications: number;
  /** Events a second, at random times. */
  rate: number;
  /** Numbers whose receivers respond, slow ones among them. */
  numbers: number;
  /** Targets of each number: 2 is `webhook` and `secondary_webhook`. */
  targets: 1 | 2;
  /** Status events that follow each message. */
  statuses: number;
  /** Events in one request of the upstream, all for one number. */
  perRequest: number;
  /** The share of events for receivers that respond after `slowMs`, and the number of such receivers. */
  slow: number;
  slowMs: number;
  /** The share of attempts at working receivers that fails: with an error, and by hanging. */
  failing: number;
  hanging: number;
  /** The share of events for numbers with dead receivers. Half of these hang, half take no connection. */
  dead: number;
  /** Numbers with dead receivers, beside the others. */
  deadNumbers: number;
  /** The dead receivers are dead for long: their breakers are open. Otherwise all of them die when the load begins. */
  deadForLong: boolean;
  /** Batches that Lambda passes to `deliver-notifications` at once: of notifications, and of those for slow targets. */
  concurrency: number;
  slowConcurrency: number;
  /** How many servers share the messages of a queue. */
  servers: number;
  /** Lambda begins with five pollers and adds five each second, as it does for a queue that was idle. */
  coldStart: boolean;
  /** Lambda reuses the environment that was busy most recently; otherwise any idle one. AWS does not say which. */
  lastFirst: boolean;
  /** The maximum time after the last event to finish the rest, in milliseconds of the clock. */
  longestDrainMs: number;
}

export const defaultLoad: LoadOptions = {
  seed: 1,
  notifications: 100_000,
  rate: 1_000,
  numbers: 100,
  targets: 1,
  statuses: 0,
  perRequest: 1,
  slow: 0,
  slowMs: 2_000,
  failing: 0,
  hanging: 0,
  dead: 0,
  deadNumbers: 0,
  deadForLong: false,
  concurrency: 160,
  slowConcurrency: 20,
  servers: assumedServers,
  coldStart: false,
  lastFirst: false,
  longestDrainMs: 6 * 3_600_000,
};
