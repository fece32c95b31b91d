import { isRecord, parseJson } from '../base/json.ts';
import type { ReceivedMessage } from '../sqs/queue/message.ts';
import type { InvokeResult } from './invocation.ts';

/** The event for received messages, as JSON. Lambda would split one that is too large, which ours never are. */
export function toSqsEvent(messages: readonly ReceivedMessage[], queueArn: string): string {
  const records = messages.map((message) => ({
    ...message,
    messageAttributes: {},
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: queueArn.split(':')[3],
  }));
  return JSON.stringify({ Records: records });
}

/** The failed ids in a result with `ReportBatchItemFailures`, or `undefined` if the result is malformed. */
function reportedFailures(returned: unknown, messageIds: ReadonlySet<string>): Set<string> | undefined {
  if (returned === null || returned === '') return new Set();
  if (!isRecord(returned)) return undefined;
  const failures = returned.batchItemFailures ?? [];
  if (!Array.isArray(failures)) return undefined;
  const ids = failures.map((failure) => (isRecord(failure) ? failure.itemIdentifier : undefined));
  const ofBatch = ids.filter((id): id is string => typeof id === 'string' && messageIds.has(id));
  return ofBatch.length === ids.length ? new Set(ofBatch) : undefined;
}

/**
 * Which messages of a batch have failed. All have if the function failed, or if its result is malformed or names a
 * message that is not in the batch. Otherwise those that it reports (AWS Lambda, "Reporting batch item failures").
 */
export function failedMessageIds(
  result: InvokeResult,
  messageIds: ReadonlySet<string>,
  reportBatchItemFailures: boolean,
): ReadonlySet<string> {
  if (result.functionError) return messageIds;
  if (!reportBatchItemFailures) return new Set();
  const returned = result.payload === '' ? null : parseJson(result.payload);
  return reportedFailures(returned, messageIds) ?? messageIds;
}
