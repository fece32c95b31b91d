import { AwsError } from '../base/aws-error.ts';

export const queueDoesNotExist = (): AwsError =>
  new AwsError('QueueDoesNotExist', 'The specified queue does not exist.');

export const receiptHandleIsInvalid = (receiptHandle: string): AwsError =>
  new AwsError('ReceiptHandleIsInvalid', `The input receipt handle "${receiptHandle}" is not a valid receipt handle.`);

export const invalidParameterValue = (message: string): AwsError => new AwsError('InvalidParameterValue', message);

export const invalidParameter = (value: unknown, parameter: string, reason: string): AwsError =>
  invalidParameterValue(`Value ${value} for parameter ${parameter} is invalid. Reason: ${reason}`);

export const resourceNotFound = (parameter: string): AwsError =>
  new AwsError(
    'ResourceNotFoundException',
    `The resource that you specified for the ${parameter} parameter doesn't exist.`,
    404,
  );

/**
 * The error codes for clients of the former query protocol: those of the SQS API model, and those that SQS has for
 * signatures.
 */
export const queryErrorCodes: Record<string, string> = {
  BatchEntryIdsNotDistinct: 'AWS.SimpleQueueService.BatchEntryIdsNotDistinct',
  BatchRequestTooLong: 'AWS.SimpleQueueService.BatchRequestTooLong',
  EmptyBatchRequest: 'AWS.SimpleQueueService.EmptyBatchRequest',
  IncompleteSignatureException: 'IncompleteSignature',
  InvalidBatchEntryId: 'AWS.SimpleQueueService.InvalidBatchEntryId',
  InvalidSignatureException: 'SignatureDoesNotMatch',
  PurgeQueueInProgress: 'AWS.SimpleQueueService.PurgeQueueInProgress',
  QueueDeletedRecently: 'AWS.SimpleQueueService.QueueDeletedRecently',
  MissingAuthenticationTokenException: 'MissingAuthenticationToken',
  QueueDoesNotExist: 'AWS.SimpleQueueService.NonExistentQueue',
  QueueNameExists: 'QueueAlreadyExists',
  TooManyEntriesInBatchRequest: 'AWS.SimpleQueueService.TooManyEntriesInBatchRequest',
  UnrecognizedClientException: 'InvalidClientTokenId',
};
