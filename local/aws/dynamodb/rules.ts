import type { Call, KeyNames } from './call.ts';
import {
  filteredAttributes,
  keyConditions,
  type Operation,
  operationsOf,
  pathOf,
  placedValue,
  projectedAttributes,
  updatedPaths,
  writtenValues,
} from './expressions.ts';

/** One request of DynamoDB, or one item of a transaction. */
export interface RuledCall {
  call: Call;
  /** The keys of the table, or of the index that the call names. */
  keys: KeyNames;
  tableKeys: KeyNames;
  /** The keys of the table's indexes. */
  indexes: readonly KeyNames[];
}

/** Something that DynamoDB rejects and dynoxide accepts. */
export interface Rule {
  name: string;
  /** The page of the DynamoDB Developer Guide or API Reference that says so. */
  page: string;
  /** DynamoDB's message if the call breaks the rule. */
  broken(call: RuledCall): string | undefined;
}

const partitionKeyBytes = 2048;
const sortKeyBytes = 1024;
const nameBytes = 65_535;
const placeholderBytes = 255;
const maxOperands = 100;
const maxOperators = 300;

/** The rules of DynamoDB that the local engine does not know. The tests hold each against Amazon's own engine. */
export const rules: readonly Rule[] = [
  {
    name: 'an item of a transaction is one action',
    page: 'TransactWriteItems',
    broken: ({ call }) =>
      call.TransactItems?.some((item) => Object.keys(item).length > 1)
        ? 'TransactItems can only contain one of Check, Put, Update or Delete'
        : undefined,
  },
  {
    name: 'no empty string in a key condition',
    page: 'Constraints, "Data types"',
    broken({ call, keys }) {
      const empty = keyConditions(call, keys).find(({ value }) => value?.S === '');
      if (!empty) return;
      const reason = 'The AttributeValue for a key attribute cannot contain an empty string value.';
      return call.IndexName === undefined
        ? `One or more parameter values are not valid. ${reason} Key: ${empty.key}`
        : `One or more parameter values are not valid. A value specified for a secondary index key is not supported. ${reason} IndexName: ${call.IndexName}, IndexKey: ${empty.key}`;
    },
  },
  {
    name: 'a key condition compares with a value of the type of the key',
    page: 'Key condition expressions',
    broken({ call, keys }) {
      const isOther = keyConditions(call, keys).some(({ value }) => value !== undefined && value.S === undefined);
      return isOther
        ? 'One or more parameter values were invalid: Condition parameter type does not match schema type'
        : undefined;
    },
  },
  {
    name: 'a query goes on in the partition that it reads',
    page: 'Query, "ExclusiveStartKey"',
    broken({ call, keys }) {
      const start = call.ExclusiveStartKey?.[keys.partition]?.S;
      const read = keyConditions(call, keys).find(({ key }) => key === keys.partition)?.value?.S;
      return start === undefined || read === undefined || start === read
        ? undefined
        : 'The provided starting key does not match the range key predicate';
    },
  },
  {
    name: 'a query goes on in the range of sort keys that it reads',
    page: 'Query, "ExclusiveStartKey"',
    broken({ call, keys }) {
      const start = keys.sort === undefined ? undefined : call.ExclusiveStartKey?.[keys.sort]?.S;
      if (typeof start !== 'string') return;
      const isOutside = keyConditions(call, keys).some(
        ({ key, operator, value }) =>
          key === keys.sort && typeof value?.S === 'string' && !isInRange(start, operator, value.S),
      );
      return isOutside ? 'The provided starting key does not match the range key predicate' : undefined;
    },
  },
  {
    name: 'no empty string in a starting key',
    page: 'Constraints, "Data types"',
    broken({ call, tableKeys }) {
      const empty = [tableKeys.partition, tableKeys.sort ?? ''].find((key) => call.ExclusiveStartKey?.[key]?.S === '');
      return empty === undefined
        ? undefined
        : `The provided starting key is invalid: One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${empty}`;
    },
  },
  {
    name: 'a key condition compares with a sort key of at most 1024 bytes',
    page: 'Constraints, "Partition keys and sort keys"',
    broken({ call, keys }) {
      const isTooLong = keyConditions(call, keys).some(
        ({ key, value }) => key === keys.sort && bytesOf(value?.S) > sortKeyBytes,
      );
      return isTooLong
        ? `One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of ${sortKeyBytes} bytes`
        : undefined;
    },
  },
  {
    // All indexes of the table have keys only.
    name: 'a query of an index reads what the index has',
    page: 'Global secondary indexes, "Attribute projections"',
    broken({ call, keys, tableKeys }) {
      if (call.IndexName === undefined) return;
      const projected = [keys.partition, keys.sort, tableKeys.partition, tableKeys.sort];
      const missing = (names: string[]) => names.find((name) => !projected.includes(name));
      const [read, filtered] = [missing(projectedAttributes(call)), missing(filteredAttributes(call))];
      const invalid = 'One or more parameter values were invalid:';
      if (read !== undefined) return `${invalid} Global secondary index ${call.IndexName} does not project [${read}]`;
      return filtered === undefined
        ? undefined
        : `${invalid} Secondary index ${call.IndexName} does not project one or more filter attributes: [${filtered}]`;
    },
  },
  {
    name: 'the actions of an update have paths that do not overlap',
    page: 'Update expressions',
    broken({ call }) {
      const paths = updatedPaths(call);
      for (const [index, one] of paths.entries()) {
        const other = paths.slice(index + 1).find((path) => overlap(one, path));
        if (other) {
          return `Invalid UpdateExpression: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [${one.join(', ')}], path two: [${other.join(', ')}]`;
        }
      }
      return;
    },
  },
  {
    // dynoxide rejects it in an UpdateItem and accepts it in a transaction.
    name: 'no update writes a key of the table',
    page: 'UpdateItem, "UpdateExpression"',
    broken({ call, tableKeys }) {
      const key = updatedPaths(call).find(([name]) => name === tableKeys.partition || name === tableKeys.sort)?.[0];
      return key === undefined
        ? undefined
        : `One or more parameter values were invalid: Cannot update attribute ${key}. This attribute is part of the key`;
    },
  },
  {
    name: 'functions have names in small letters',
    page: 'Condition and filter expressions, operators, and functions',
    broken: ({ call }) =>
      firstBroken(call, ({ operator }) =>
        functions.includes(operator.toLowerCase()) && !functions.includes(operator)
          ? `Invalid function name; function: ${operator}`
          : undefined,
      ),
  },
  {
    name: 'keys of indexes have at most 2048 and 1024 bytes',
    page: 'Constraints, "Partition keys and sort keys"',
    broken({ call, indexes }) {
      const isTooLong = indexes.some(
        ({ partition, sort }) =>
          writtenValues(call, partition).some((value) => bytesOf(value.S) > partitionKeyBytes) ||
          (sort !== undefined && writtenValues(call, sort).some((value) => bytesOf(value.S) > sortKeyBytes)),
      );
      return isTooLong ? 'One or more parameter values were invalid: Size limit exceeded' : undefined;
    },
  },
  {
    name: 'keys of indexes are strings',
    page: 'PutItem, "Item"',
    broken({ call, indexes }) {
      const names = indexes.flatMap(({ partition, sort }) => (sort === undefined ? [partition] : [partition, sort]));
      return names.some((name) => writtenValues(call, name).some((value) => value.S === undefined))
        ? 'One or more parameter values were invalid: Type mismatch for Index Key'
        : undefined;
    },
  },
  {
    name: 'attributes have names',
    page: 'Constraints, "Naming rules"',
    broken: ({ call }) => badName(call, (name) => (name === '' ? 'Empty attribute name' : undefined)),
  },
  {
    name: 'names of attributes have at most 64 KB',
    page: 'Constraints, "Attributes"',
    broken: ({ call }) => badName(call, tooLong),
  },
  {
    name: 'names behind placeholders have at most 64 KB',
    page: 'Constraints, "Attributes"',
    broken({ call }) {
      const long = Object.entries(call.ExpressionAttributeNames ?? {}).find(([, name]) => tooLong(name) !== undefined);
      return long && `ExpressionAttributeNames contains invalid value: ${tooLong(long[1])} for key ${long[0]}`;
    },
  },
  {
    name: 'placeholders have at most 255 bytes',
    page: 'Constraints, "Expression parameters"',
    broken({ call }) {
      for (const member of ['ExpressionAttributeNames', 'ExpressionAttributeValues'] as const) {
        const long = Object.keys(call[member] ?? {}).find((placeholder) => bytesOf(placeholder) > placeholderBytes);
        if (long !== undefined) {
          return `${member} contains invalid key: The expression attribute map contains a key that is too long; size of key: ${bytesOf(long)}`;
        }
      }
      return;
    },
  },
  {
    name: 'IN has at most 100 operands',
    page: 'Condition and filter expressions, operators, and functions',
    broken: ({ call }) =>
      firstBroken(call, ({ operator, operands: [, ...list] }) =>
        operator === 'IN' && list.length > maxOperands
          ? `The IN operator is provided with too many operands; number of operands: ${list.length}`
          : undefined,
      ),
  },
  {
    name: 'an expression has at most 300 operators',
    page: 'Constraints, "Expression parameters"',
    broken({ call }) {
      const long = operationsOf(call).find(({ operations }) => operations.length > maxOperators);
      return (
        long && `Invalid ${long.kind}: The expression contains too many operators; operator count: ${maxOperators + 1}`
      );
    },
  },
  {
    name: 'attribute_type asks for a type that there is',
    page: 'Condition and filter expressions, operators, and functions',
    broken: ({ call }) =>
      firstBroken(call, ({ operator, operands }) => {
        const type = operator === 'attribute_type' ? placedValue(call, operands[1])?.S : undefined;
        return type === undefined || attributeTypes.includes(String(type))
          ? undefined
          : `Invalid attribute type name found; type: ${type}, valid types: {${attributeTypes.join(',')}}`;
      }),
  },
  {
    name: 'only strings, numbers and bytes are in an order',
    page: 'Condition and filter expressions, operators, and functions',
    broken: ({ call }) =>
      firstBroken(call, ({ operator, operands }) => {
        const ordered = orderedTypes[operator];
        const types = operands.flatMap((operand) => Object.keys(placedValue(call, operand) ?? {}));
        const other = ordered && types.find((type) => !ordered.includes(type));
        return (
          other &&
          `Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${other}`
        );
      }),
  },
  {
    name: 'nothing is compared with itself',
    page: 'Condition and filter expressions, operators, and functions',
    broken: ({ call }) =>
      firstBroken(call, ({ operator, operands }) => {
        const [first, ...others] = operands.map((operand) => pathOf(call, operand)?.join(', '));
        return distinguishing.includes(operator) && first !== undefined && others.includes(first)
          ? `The first operand must be distinct from the remaining operands for this operator or function; operator: ${operator}, first operand: [${first}]`
          : undefined;
      }),
  },
];

const functions = [
  ...['attribute_exists', 'attribute_not_exists', 'attribute_type', 'begins_with', 'contains', 'size'],
  ...['if_not_exists', 'list_append'],
];

const attributeTypes = ['N', 'BS', 'L', 'B', 'NULL', 'M', 'S', 'SS', 'NS', 'BOOL'];

/** The types of values that can be operands. */
const orderedTypes: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(['<', '<=', '>', '>=', 'BETWEEN'].map((operator) => [operator, ['S', 'N', 'B']])),
  begins_with: ['S', 'B'],
};

/** What has to have a first operand unlike the others. */
const distinguishing = [
  ...['=', '<>', '<', '<=', '>', '>=', 'BETWEEN', 'IN'],
  ...['begins_with', 'contains', 'attribute_type', 'if_not_exists'],
];

/** The message of the first rule that the call breaks. */
export function brokenRule(call: RuledCall): string | undefined {
  for (const rule of rules) {
    const message = rule.broken(call);
    if (message !== undefined) return message;
  }
  return;
}

/** Whether a query with this condition can have ended at the key. */
function isInRange(start: string, operator: string, value: string): boolean {
  const order = Buffer.compare(Buffer.from(start), Buffer.from(value));
  if (operator === '=') return order === 0;
  if (operator === 'begins_with') return start.startsWith(value);
  return operator.startsWith('>') ? order >= 0 : order <= 0;
}

/** Whether one path leads to the other, or both are the same. */
function overlap(one: readonly string[], other: readonly string[]): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.every((name, index) => name === long[index]);
}

/** What is wrong with the name of an attribute of the item, or of a value of an expression, however deep. */
function badName(call: Call, check: (name: string) => string | undefined): string | undefined {
  const inItem = firstIn(call.Item, check);
  if (inItem !== undefined) return inItem;
  for (const [placeholder, value] of Object.entries(call.ExpressionAttributeValues ?? {})) {
    const message = firstInValue(value, check);
    if (message !== undefined)
      return `ExpressionAttributeValues contains invalid value: ${message} for key ${placeholder}`;
  }
  return;
}

type Document = Readonly<Record<string, { M?: Document; L?: readonly { M?: Document }[] }>>;

function firstIn(document: unknown, check: (name: string) => string | undefined): string | undefined {
  for (const [name, value] of Object.entries((document ?? {}) as Document)) {
    const message = check(name) ?? firstInValue(value, check);
    if (message !== undefined) return message;
  }
  return;
}

function firstInValue(value: unknown, check: (name: string) => string | undefined): string | undefined {
  const { M, L = [] } = value as Document[string];
  for (const element of L) {
    const message = firstInValue(element, check);
    if (message !== undefined) return message;
  }
  return firstIn(M, check);
}

const tooLong = (name: string) =>
  bytesOf(name) > nameBytes ? `Attribute name is too large, must be less than ${nameBytes + 1} bytes` : undefined;

const bytesOf = (text: unknown) => (typeof text === 'string' ? Buffer.byteLength(text) : 0);

/** The first message about an operation of one of the call's expressions. */
function firstBroken(call: Call, check: (operation: Operation) => string | undefined): string | undefined {
  for (const { kind, operations } of operationsOf(call)) {
    for (const operation of operations) {
      const message = check(operation);
      if (message !== undefined) return `Invalid ${kind}: ${message}`;
    }
  }
  return;
}
