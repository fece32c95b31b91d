/** Quotas of Amazon SQS. */
export const longestDelaySeconds = 900;
export const longestVisibilitySeconds = 43_200;
export const longestWaitSeconds = 20;
/** The maximum number of messages in one request or response. */
export const maxInBatch = 10;
/** The time between two purges of a queue, and between the deletion of a queue and a new one with its name. */
export const secondsToForget = 60;
export const maxInFlight = 120_000;
/** The limit for one message, and also for all messages of a batch together. */
export const largestMessageBytes = 1_048_576;
