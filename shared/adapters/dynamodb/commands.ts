import type {
  BatchGetCommandInput,
  BatchGetCommandOutput,
  DeleteCommandInput,
  DeleteCommandOutput,
  GetCommandInput,
  GetCommandOutput,
  PutCommandInput,
  PutCommandOutput,
  QueryCommandInput,
  QueryCommandOutput,
  TransactWriteCommandInput,
  TransactWriteCommandOutput,
  UpdateCommandInput,
  UpdateCommandOutput,
} from '@aws-sdk/lib-dynamodb';

/**
 * A call of DynamoDB with plain values instead of attribute values. The commands have the names and the types of those
 * of the SDK's document client.
 */
export abstract class Command<Input extends object, Output extends object> {
  /** The operation's name in the API. */
  abstract readonly operation: string;
  /** Only for the type of the response. */
  declare readonly output: Omit<Output, '$metadata'>;
  readonly input: Input;

  constructor(input: Input) {
    this.input = input;
  }
}

export class GetCommand extends Command<GetCommandInput, GetCommandOutput> {
  readonly operation = 'GetItem';
}

export class PutCommand extends Command<PutCommandInput, PutCommandOutput> {
  readonly operation = 'PutItem';
}

export class UpdateCommand extends Command<UpdateCommandInput, UpdateCommandOutput> {
  readonly operation = 'UpdateItem';
}

export class DeleteCommand extends Command<DeleteCommandInput, DeleteCommandOutput> {
  readonly operation = 'DeleteItem';
}

export class QueryCommand extends Command<QueryCommandInput, QueryCommandOutput> {
  readonly operation = 'Query';
}

export class BatchGetCommand extends Command<BatchGetCommandInput, BatchGetCommandOutput> {
  readonly operation = 'BatchGetItem';
}

export class TransactWriteCommand extends Command<TransactWriteCommandInput, TransactWriteCommandOutput> {
  readonly operation = 'TransactWriteItems';

  /** The token makes DynamoDB execute the transaction once, however often the client sends it. */
  constructor(input: TransactWriteCommandInput) {
    super({ ClientRequestToken: crypto.randomUUID(), ...input });
  }
}
