import { AwsError, isAwsError } from '#shared/adapters/aws/aws-error.ts';

/** A command that DynamoDB rejects, whatever the table holds. */
export const validationError = (message: string) => new AwsError('ValidationException', message, 400);

export const isValidationError = (error: unknown) => isAwsError(error, 'ValidationException');
