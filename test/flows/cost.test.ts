import { beforeAll, expect, it } from 'vitest';
import { indexKeys, keys } from '#shared/aws/keys.ts';
import { newId } from '#shared/base/ids.ts';
import { changeFlow } from '#shared/flows/change-flow.ts';
import type { LiveFlow } from '#shared/flows/flow.ts';
import { createFlow } from '#shared/flows/flow-creation.ts';
import { readFlowPage } from '#shared/flows/flow-page.ts';
import { loadItems } from '#support/aws/table-cost.ts';
import { operationOf, watchTable } from '#support/aws/watch-table.ts';
import { forAllTests } from '#support/for-tests.ts';
import { metadata, startFlowWorld } from '../../support/flows/flow-world.ts';

const calls: { command: string; bytes: number }[] = [];

const world = forAllTests(() => startFlowWorld());
beforeAll(async () => {
  watchTable(world.table, async (command, send) => {
    const output = await send(command);
    calls.push({ command: operationOf(command), bytes: JSON.stringify(output).length });
    return output;
  });
});

/** The calls of the table during an action, and the size of their results. */
async function costOf(action: () => Promise<unknown>) {
  calls.length = 0;
  await action();
  const commands = calls.map(({ command }) => command);
  return { commands, bytes: calls.reduce((sum, { bytes }) => sum + bytes, 0) };
}

const text = JSON.stringify({ version: '7.3', screens: [], filler: 'x'.repeat(50_000) });

/** Writes this many Flows directly to the table. Few of them are read, so older ones share their texts. */
async function fill(workspace: string, count: number): Promise<void> {
  const { flowJson } = world.context();
  const texts = await Promise.all(Array.from({ length: 25 }, () => flowJson.keep(newId(), text)));
  const items = Array.from({ length: count }, (_, index) => {
    const id = newId();
    const flow: LiveFlow = {
      ...metadata,
      id,
      workspace,
      wa_id: `${workspace}.${index}`,
      status: index % 2 ? 'PUBLISHED' : 'DRAFT',
      version: '7.3',
      json: texts[(count - index) % texts.length] ?? { text },
      preview_generation: 0,
      created_at: world.clock.now(),
      updated_at: world.clock.now(),
    };
    return [
      { ...keys.flow(workspace, id), ...indexKeys.flow(id), ...flow },
      keys.flowOfStatus(workspace, flow.status, id),
    ];
  });
  await loadItems(world.table, items.flat());
}

it('a page costs the same however many other Flows there are', async () => {
  const [small, large] = [newId(), newId()];
  await Promise.all([fill(small, 25), fill(large, 300)]);
  const page = (workspace: string, query = {}) =>
    costOf(async () =>
      expect(
        (await readFlowPage({ workspace, ...query }, { limit: 20, withJson: true }, world.context())).flows,
      ).toHaveLength(20),
    );
  const few = await page(small);
  const many = await page(large);
  expect(many.commands).toEqual(['Query', 'BatchGetItem']);
  expect(many.commands).toEqual(few.commands);
  expect(many.bytes).toBeLessThan(few.bytes * 1.05);
});

it('a page without JSON reads no text', async () => {
  const workspace = newId();
  await fill(workspace, 25);
  const { commands, bytes } = await costOf(() =>
    readFlowPage({ workspace }, { limit: 20, withJson: false }, world.context()),
  );
  expect(commands).toEqual(['Query']);
  expect(bytes).toBeLessThan(text.length);
});

it('a search for a status reads what it shows, however many other Flows there are', async () => {
  const workspace = newId();
  await fill(workspace, 200);
  const none = await costOf(() =>
    readFlowPage({ workspace, status: 'BLOCKED' }, { limit: 20, withJson: true }, world.context()),
  );
  expect(none.commands).toEqual(['Query', 'Query']);
  const some = await costOf(() =>
    readFlowPage({ workspace, status: 'PUBLISHED' }, { limit: 2, withJson: true }, world.context()),
  );
  expect(some.commands).toEqual(['Query', 'Query', 'BatchGetItem', 'BatchGetItem']);
  expect(some.bytes).toBeLessThan(2.5 * text.length);
  expect(none.bytes).toBeLessThan(2_000);
});

it('a rejected creation reads only the Flows that are being created', async () => {
  const workspace = newId();
  await fill(workspace, 100);
  await world.fault({
    match: { path: 'create_flow' },
    fault: { kind: 'error', status: 400, error: { message: 'No', code: 100 } },
  });
  const { commands, bytes } = await costOf(() =>
    expect(createFlow(workspace, { ...metadata, name: workspace }, world.context())).rejects.toThrow('No'),
  );
  expect(commands).toEqual(['PutItem', 'DeleteItem', 'Query']);
  expect(bytes).toBeLessThan(5_000);
});

it('a new text costs one write and one deletion of the previous text, and is not read back', async () => {
  const workspace = newId();
  const flow = await createFlow(workspace, { ...metadata, name: workspace }, world.context());
  const update = (current: LiveFlow) =>
    costOf(() => changeFlow(current, { change: 'update-json', text }, world.context()));
  expect((await update(flow)).commands).toEqual(['PutItem', 'UpdateItem', 'UpdateItem']);
  const again = (await world.context().flows.get(workspace, flow.id)) as LiveFlow;
  expect((await update(again)).commands).toEqual(['PutItem', 'UpdateItem', 'UpdateItem', 'DeleteItem']);
  const changed = (await world.context().flows.get(workspace, flow.id)) as LiveFlow;
  expect(await world.context().flowJson.read(changed.json)).toBe(text);
});
