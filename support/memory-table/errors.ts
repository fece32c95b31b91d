import { isAwsError } from '#shared/adapters/aws-sdk/aws-error.ts';
import { awsError } from '#support/aws/aws-error.ts';

/** A command that DynamoDB rejects, whatever the table holds. */
export const validationError = (message: string) => awsError('ValidationException', message);

export const isValidationError = (error: unknown) => isAwsError(error, 'ValidationException');
