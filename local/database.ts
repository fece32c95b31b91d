import { openTable, type Table } from '#shared/adapters/dynamodb/table.ts';
import { workspaceStore } from '#shared/adapters/dynamodb/workspaces.ts';
import { indexMembers } from '#shared/domain/accounts/index-members.ts';
import { type Engine, startEngine } from './aws/dynamodb/engine.ts';
import { administrator } from './aws/stack/administrator.ts';
import type { Stack } from './aws/stack/stack.ts';
import { createTables } from './aws/stack/tables.ts';
import type { Part } from './parts.ts';
import { seed } from './seed.ts';

/** Starts the engine that comes with the project, or uses the one at `url`. */
export async function startDatabase(file: string, url: string | undefined): Promise<Engine> {
  return url === undefined ? startEngine(file) : { url, close: async () => undefined };
}

/** Opens the template's table past the roles. A new table is seeded first. */
export async function openSeededTable(stack: Stack, endpoint: string): Promise<Table & Part> {
  const [created, ...others] = await createTables(stack, endpoint);
  if (!created || others.length > 0) throw new Error('The template must hold one table');
  const table = openTable(created.name, { endpoint, region: stack.region, credentials: administrator });
  if (created.isNew) await seed(table);
  // An earlier version kept members without the index of their workspaces.
  else await indexMembers(workspaceStore(table));
  return { ...table, close: () => table.client.destroy() };
}
