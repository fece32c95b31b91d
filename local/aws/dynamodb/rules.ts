import type { Attributes, Call, KeyNames } from './call-accesses.ts';

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
      const missing = (text = '') => attributesIn(call, text).find((name) => !projected.includes(name));
      const [read, filtered] = [missing(call.ProjectionExpression), missing(call.FilterExpression)];
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
    name: 'functions have names in small letters',
    page: 'Condition and filter expressions, operators, and functions',
    broken: ({ call }) =>
      firstOf(call, (kind, text) => {
        const names = [...text.matchAll(/\b(\w+)\s*\(/g)].map(([, name = '']) => name);
        const wrong = names.find((name) => functions.includes(name.toLowerCase()) && name !== name.toLowerCase());
        return wrong === undefined ? undefined : `Invalid ${kind}: Invalid function name; function: ${wrong}`;
      }),
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
    broken({ call }) {
      if (hasEmptyName(call.Item)) return 'Empty attribute name';
      const value = Object.entries(call.ExpressionAttributeValues ?? {}).find(([, { M }]) => hasEmptyName(M));
      return value && `ExpressionAttributeValues contains invalid value: Empty attribute name for key ${value[0]}`;
    },
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

const functions = ['attribute_exists', 'attribute_not_exists', 'attribute_type', 'begins_with', 'contains', 'size'];

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

interface KeyCondition {
  key: string;
  operator: string;
  value: Value | undefined;
}

/** What a query compares its keys with. `BETWEEN` is two comparisons. */
function keyConditions(call: Call, { partition, sort }: KeyNames): KeyCondition[] {
  const { KeyConditionExpression: text } = call;
  if (text === undefined) return [];
  const compared =
    /([#\w.-]+)\s*(=|<=|>=|<|>)\s*(:\w+)|(begins_with)\s*\(\s*([#\w.-]+)\s*,\s*(:\w+)\s*\)|([#\w.-]+)\s+BETWEEN\s+(:\w+)\s+AND\s+(:\w+)/gi;
  return [...text.matchAll(compared)]
    .flatMap(([, a, operator, aValue, prefix, b, bValue, c, low, high]) => [
      { key: a, operator, value: aValue },
      { key: b, operator: prefix, value: bValue },
      { key: c, operator: '>=', value: low },
      { key: c, operator: '<=', value: high },
    ])
    .map(({ key = '', operator = '', value = '' }) => ({
      key: nameOf(call, key),
      operator,
      value: call.ExpressionAttributeValues?.[value],
    }))
    .filter(({ key }) => key === partition || key === sort);
}

/** Whether a query with this condition can have ended at the key. */
function isInRange(start: string, operator: string, value: string): boolean {
  const order = Buffer.compare(Buffer.from(start), Buffer.from(value));
  if (operator === '=') return order === 0;
  if (operator === 'begins_with') return start.startsWith(value);
  return operator.startsWith('>') ? order >= 0 : order <= 0;
}

/** The attributes at the start of the paths of an expression. */
function attributesIn(call: Call, text: string): string[] {
  const words = [...text.matchAll(/(?<![:#\w.])(#?\w+)(?!\w*\s*\()/g)].map(([, word = '']) => word);
  return words.filter((word) => !/^(?:AND|OR|NOT|BETWEEN|IN|\d+)$/i.test(word)).map((word) => nameOf(call, word));
}

/** The document paths that an update writes, name by name: `#a.b[0]` is `a`, `b` and `[0]`. */
function updatedPaths(call: Call): string[][] {
  let text = call.UpdateExpression ?? '';
  // The arguments of functions are read, not written.
  for (let outer = ''; outer !== text; ) [outer, text] = [text, text.replace(/\([^()]*\)/g, '')];
  return text
    .split(/,|(?<![#:\w.])(?:SET|REMOVE|ADD|DELETE)\b/i)
    .map((action) => /^[#\w.[\]-]+/.exec(action.trim())?.[0])
    .filter((path) => path !== undefined)
    .map((path) => (path.match(/\[\d+\]|[#\w-]+/g) ?? []).map((name) => nameOf(call, name)));
}

/** Whether one path leads to the other, or both are the same. */
function overlap(one: readonly string[], other: readonly string[]): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return short.every((name, index) => name === long[index]);
}

function hasEmptyName(attributes: unknown): boolean {
  return Object.entries((attributes ?? {}) as Attributes).some(([name, { M }]) => name === '' || hasEmptyName(M));
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
