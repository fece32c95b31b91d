import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';

/** A command that DynamoDB rejects, whatever the table holds. */
export class ValidationException extends DynamoDBServiceException {
  constructor(message: string) {
    super({ name: 'ValidationException', $fault: 'client', message, $metadata: {} });
  }
}
