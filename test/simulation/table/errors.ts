import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';

/** A command that DynamoDB refuses to carry out, whatever the table holds. */
export class ValidationException extends DynamoDBServiceException {
  constructor(message: string) {
    super({ name: 'ValidationException', $fault: 'client', message, $metadata: {} });
  }
}
