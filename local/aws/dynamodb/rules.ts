import type { Attributes, Call, KeyNames } from './call-accesses.ts';

/** One request of DynamoDB, or one item of a transaction. */
export interface RuledCall {
  call: Call;
  /** The keys of the table, or of the index that the call names. */
  keys: KeyNames;
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
const mostOperands = 100;
const mostOperators = 300;

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
    name: 'keys of indexes have at most 2048 and 1024 bytes',
    page: 'Constraints, "Partition keys and sort keys"',
    broken({ call, indexes }) {
      const isTooLong = indexes.some(
        ({ partition, sort }) =>
          written(call, partition).some((value) => bytesOf(value.S) > partitionKeyBytes) ||
          (sort !== undefined && written(call, sort).some((value) => bytesOf(value.S) > sortKeyBytes)),
      );
      return isTooLong ? 'One or more parameter values were invalid: Size limit exceeded' : undefined;
    },
  },
  {
    name: 'attributes have names',
    page: 'Constraints, "Naming rules"',
    broken: ({ call }) => (Object.hasOwn(call.Item ?? {}, '') ? 'Empty attribute name' : undefined),
  },
  {
    name: 'names of attributes have at most 64 KB',
    page: 'Constraints, "Attributes"',
    broken: ({ call }) =>
      Object.keys(call.Item ?? {}).some((name) => bytesOf(name) > nameBytes)
        ? `Attribute name is too large, must be less than ${nameBytes + 1} bytes`
        : undefined,
  },
  {
    name: 'IN has at most 100 operands',
    page: 'Condition and filter expressions, operators, and functions',
    broken: ({ call }) =>
      firstOf(call, (kind, text) => {
        const counts = [...text.matchAll(/\bIN\s*\(([^)]*)\)/gi)].map(([, list = '']) => list.split(',').length);
        const tooMany = counts.find((count) => count > mostOperands);
        return tooMany === undefined
          ? undefined
          : `Invalid ${kind}: The IN operator is provided with too many operands; number of operands: ${tooMany}`;
      }),
  },
  {
    name: 'an expression has at most 300 operators',
    page: 'Constraints, "Expression parameters"',
    broken: ({ call }) =>
      firstOf(call, (kind, text) =>
        operatorsIn(text) > mostOperators
          ? `Invalid ${kind}: The expression contains too many operators; operator count: ${mostOperators + 1}`
          : undefined,
      ),
  },
  {
    name: 'attribute_type asks for a type that there is',
    page: 'Condition and filter expressions, operators, and functions',
    broken: ({ call }) =>
      firstOf(call, (kind, text) => {
        const types = [...text.matchAll(/attribute_type\s*\([^,]+,\s*(:\w+)\s*\)/g)].map(([, value = '']) =>
          String(call.ExpressionAttributeValues?.[value]?.S),
        );
        const unknown = types.find((type) => !attributeTypes.includes(type));
        return unknown === undefined
          ? undefined
          : `Invalid ${kind}: Invalid attribute type name found; type: ${unknown}, valid types: {${attributeTypes.join(',')}}`;
      }),
  },
  {
    name: 'only strings, numbers and bytes are in an order',
    page: 'Condition and filter expressions, operators, and functions',
    broken: ({ call }) =>
      firstOf(call, (kind, text) => {
        for (const [, operator = '', value = ''] of text.matchAll(/(<=|>=|<(?!>)|(?<!<)>)\s*(:\w+)/g)) {
          const [type = 'S'] = Object.keys(call.ExpressionAttributeValues?.[value] ?? {});
          if (!['S', 'N', 'B'].includes(type)) {
            return `Invalid ${kind}: Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`;
          }
        }
        return;
      }),
  },
];

const attributeTypes = ['N', 'BS', 'L', 'B', 'NULL', 'M', 'S', 'SS', 'NS', 'BOOL'];

/** The message of the first rule that the call breaks. */
export function brokenRule(call: RuledCall): string | undefined {
  for (const rule of rules) {
    const message = rule.broken(call);
    if (message !== undefined) return message;
  }
  return;
}

type Value = Readonly<Record<string, unknown>>;

/** The values that a query compares its keys with. */
function keyConditions(call: Call, { partition, sort }: KeyNames): { key: string; value: Value | undefined }[] {
  const { KeyConditionExpression: text } = call;
  if (text === undefined) return [];
  const compared =
    /([#\w.-]+)\s*(?:=|<=|>=|<|>)\s*(:\w+)|begins_with\s*\(\s*([#\w.-]+)\s*,\s*(:\w+)\s*\)|([#\w.-]+)\s+BETWEEN\s+(:\w+)\s+AND\s+(:\w+)/gi;
  return [...text.matchAll(compared)]
    .flatMap(([, a, aValue, b, bValue, c, low, high]) => [
      { key: a, value: aValue },
      { key: b, value: bValue },
      { key: c, value: low },
      { key: c, value: high },
    ])
    .map(({ key = '', value = '' }) => ({ key: nameOf(call, key), value: call.ExpressionAttributeValues?.[value] }))
    .filter(({ key }) => key === partition || key === sort);
}

/** What the call may write to an attribute. */
function written(call: Call, name: string): Value[] {
  const inItem = (call.Item as Attributes | undefined)?.[name];
  const set = [...(call.UpdateExpression ?? '').matchAll(/([#\w.-]+)\s*=\s*(:\w+)/g)]
    .filter(([, attribute = '']) => nameOf(call, attribute) === name)
    .map(([, , value = '']) => call.ExpressionAttributeValues?.[value]);
  return [inItem, ...set].filter((value) => value !== undefined);
}

const nameOf = (call: Call, attribute: string) => call.ExpressionAttributeNames?.[attribute] ?? attribute;

const bytesOf = (text: unknown) => (typeof text === 'string' ? Buffer.byteLength(text) : 0);

const expressions = ['ConditionExpression', 'FilterExpression', 'UpdateExpression', 'KeyConditionExpression'] as const;

/** The first message about one of the call's expressions. */
function firstOf(call: Call, check: (kind: string, text: string) => string | undefined): string | undefined {
  for (const kind of expressions) {
    const text = call[kind];
    const message = text === undefined ? undefined : check(kind, text);
    if (message !== undefined) return message;
  }
  return;
}

/** Counts comparisons, logical operators, arithmetic and functions. Short texts cannot have too many. */
function operatorsIn(text: string): number {
  if (text.length <= 2 * mostOperators) return 0;
  return text.match(/<>|<=|>=|[=<>+]|\s-\s|\b(?:AND|OR|NOT|IN)\b|\b\w+\s*\(/gi)?.length ?? 0;
}
