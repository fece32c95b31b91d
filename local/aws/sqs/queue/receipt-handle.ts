import { receiptHandleIsInvalid } from '../sqs-errors.ts';

/** A handle names one receive of one message of one queue. */
export function formatReceiptHandle(queueArn: string, messageId: string, receiveCount: number): string {
  return Buffer.from(`${queueArn} ${messageId} ${receiveCount}`).toString('base64');
}

/** Throws `AwsError` `ReceiptHandleIsInvalid` for what is not a handle of this queue. */
export function parseReceiptHandle(queueArn: string, handle: string): { messageId: string; receiveCount: number } {
  const [arn, messageId, receiveCount] = Buffer.from(handle, 'base64').toString().split(' ');
  if (arn !== queueArn || messageId === undefined || !/^\d+$/.test(receiveCount ?? '')) {
    throw receiptHandleIsInvalid(handle);
  }
  return { messageId, receiveCount: Number(receiveCount) };
}
