/**
 * Every key of the single table. `pk`/`sk` is the item itself; `gsi1` and `gsi2` are sparse indexes of keys only.
 *
 * | Item            | pk                    | sk                | gsi1pk / gsi1sk                  | gsi2pk / gsi2sk        |
 * |-----------------|-----------------------|-------------------|----------------------------------|------------------------|
 * | workspace       | WORKSPACE#id          | WORKSPACE         | WORKSPACES / WORKSPACE#id        |                        |
 * | member          | WORKSPACE#id          | MEMBER#user       |                                  |                        |
 * | Flow            | WORKSPACE#id          | FLOW#id           | FLOW#id / FLOW                   | UPSTREAM_FLOW#wa_id / FLOW |
 * | number          | NUMBER#id             | NUMBER            | WORKSPACE#id / NUMBER#id         |                        |
 * | phone number id | PHONE_NUMBER_ID#id    | PHONE_NUMBER_ID   |                                  |                        |
 * | preview         | PREVIEW#id            | PREVIEW           |                                  |                        |
 * | user            | USER#id               | USER              | USERS / USER#id                  |                        |
 * | token           | TOKEN#sha256          | TOKEN             | USER#id / TOKEN#sha256           |                        |
 */
export const keys = {
  workspace: (workspace: string) => ({ pk: join('WORKSPACE', workspace), sk: 'WORKSPACE' }),
  member: (workspace: string, user: string) => ({ pk: join('WORKSPACE', workspace), sk: join('MEMBER', user) }),
  flow: (workspace: string, flow: string) => ({ pk: join('WORKSPACE', workspace), sk: join('FLOW', flow) }),
  number: (number: string) => ({ pk: join('NUMBER', number), sk: 'NUMBER' }),
  phoneNumberId: (id: string) => ({ pk: join('PHONE_NUMBER_ID', id), sk: 'PHONE_NUMBER_ID' }),
  preview: (preview: string) => ({ pk: join('PREVIEW', preview), sk: 'PREVIEW' }),
  user: (user: string) => ({ pk: join('USER', user), sk: 'USER' }),
  token: (hash: string) => ({ pk: join('TOKEN', hash), sk: 'TOKEN' }),
} as const;

/** What an item adds to be found through an index. */
export const indexKeys = {
  workspace: (workspace: string) => ({ gsi1pk: 'WORKSPACES', gsi1sk: join('WORKSPACE', workspace) }),
  flow: (flow: string) => ({ gsi1pk: join('FLOW', flow), gsi1sk: 'FLOW' }),
  upstreamFlow: (waId: string) => ({ gsi2pk: join('UPSTREAM_FLOW', waId), gsi2sk: 'FLOW' }),
  numberOfWorkspace: (workspace: string, number: string) => ({
    gsi1pk: join('WORKSPACE', workspace),
    gsi1sk: join('NUMBER', number),
  }),
  user: (user: string) => ({ gsi1pk: 'USERS', gsi1sk: join('USER', user) }),
  tokenOfUser: (user: string, hash: string) => ({ gsi1pk: join('USER', user), gsi1sk: join('TOKEN', hash) }),
} as const;

/** Sort key prefixes to query by. */
export const prefixes = { member: 'MEMBER#', flow: 'FLOW#' } as const;

/** Ids are UUIDs, digits or hex; anything else here is a bug of the caller, and must not reach another item's key. */
function join(kind: string, id: string): string {
  if (!/^[\w.:-]+$/.test(id)) throw new TypeError(`Not an id that a key can be built from: ${JSON.stringify(id)}`);
  return `${kind}#${id}`;
}
