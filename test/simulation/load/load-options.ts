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
  /** Which part of the events goes to receivers that respond after `slowMs`; so many of the numbers have these. */
  slow: number;
  slowMs: number;
  /** Which part of the attempts at receivers that respond fails: so much with an error, and so much by hanging. */
  failing: number;
  hanging: number;
  /** Which part of the events goes to numbers with dead receivers. Half of these hang, half take no connection. */
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
  /** Lambda uses the environment again that was busy last; otherwise any idle one. AWS does not say which. */
  lastFirst: boolean;
  /** Milliseconds of the clock after the last event, at most, to work off what is left. */
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
