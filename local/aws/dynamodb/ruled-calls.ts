import type { Call, KeyNames, KeySchemas } from './call.ts';
import { brokenRule, type RuledCall } from './rules.ts';

/** Finds the message of the first rule that a request breaks, in any of its parts. */
export function ruleChecker(schemas: KeySchemas): (call: Call) => string | undefined {
  const indexesOf = Map.groupBy(
    [...schemas].filter(([name]) => name.includes('/')),
    ([name]) => name.split('/')[0],
  );

  function ruled(call: Call): RuledCall {
    const { TableName: table = '', IndexName: index } = call;
    const keysOf = (name: string): KeyNames => schemas.get(name) ?? { partition: '' };
    return {
      call,
      keys: keysOf(index === undefined ? table : `${table}/${index}`),
      tableKeys: keysOf(table),
      indexes: (indexesOf.get(table) ?? []).map(([, names]) => names),
    };
  }

  return (call) => {
    for (const part of [call, ...partsOf(call)]) {
      const broken = brokenRule(ruled(part));
      if (broken !== undefined) return broken;
    }
    return;
  };
}

/** The actions of a transaction, and the items that a batch puts. */
function partsOf({ TransactItems = [], RequestItems = {} }: Call): Call[] {
  const actions = TransactItems.flatMap((item) => Object.values(item));
  const puts = Object.entries(RequestItems).flatMap(([TableName, request]) =>
    'Keys' in request ? [] : request.flatMap(({ PutRequest }) => (PutRequest ? [{ TableName, ...PutRequest }] : [])),
  );
  return [...actions, ...puts];
}
