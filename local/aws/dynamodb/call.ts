/** The names of the key attributes of a table or an index. */
export interface KeyNames {
  readonly partition: string;
  readonly sort?: string | undefined;
}

/** The names of the keys by table or `table/index`. */
export type KeySchemas = ReadonlyMap<string, KeyNames>;

export type Attributes = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The members of a DynamoDB operation's input that the front reads. */
export interface Call {
  TableName?: string;
  IndexName?: string;
  Key?: Attributes;
  Item?: Attributes;
  ExclusiveStartKey?: Attributes;
  KeyConditionExpression?: string;
  ConditionExpression?: string;
  FilterExpression?: string;
  ProjectionExpression?: string;
  UpdateExpression?: string;
  ExpressionAttributeNames?: Readonly<Record<string, string>>;
  ExpressionAttributeValues?: Attributes;
  RequestItems?: Readonly<Record<string, BatchRequest>>;
  TransactItems?: readonly Readonly<Record<string, Call>>[];
  ReturnConsumedCapacity?: string;
}

export type BatchRequest =
  | { Keys: readonly Attributes[] }
  | readonly { PutRequest?: { Item: Attributes }; DeleteRequest?: { Key: Attributes } }[];
