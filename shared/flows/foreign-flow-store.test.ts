import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Workspace } from '#shared/accounts/workspace.ts';
import { workspaceStore } from '#shared/accounts/workspace-store.ts';
import { keys } from '#shared/aws/keys.ts';
import { newId } from '#shared/base/ids.ts';
import { type JsonObject, parseExactJson } from '#shared/base/json.ts';
import { startTestTable } from '#support/aws/dynamodb.ts';
import { operationOf, watchTable } from '#support/aws/watch-table.ts';
import { draft } from '#support/fakes/fake-flow-context.ts';
import { forAllTests } from '#support/for-tests.ts';
import { foreignFlowStore } from './foreign-flow-store.ts';

const dynamodb = forAllTests(() => startTestTable());

const someId = () => String(Math.random()).slice(2).padEnd(16, '7').replace(/^0+/, '4');

async function newWorkspace(waba_id: string | null): Promise<Workspace> {
  const workspace = { id: newId(), name: 'Acme', waba_id, created_at: 0 };
  await workspaceStore(dynamodb.table).create(workspace);
  return workspace;
}

/** A Flow of the workspace, which the upstream has accepted unless it has no id there. */
async function newFlow(workspace: Workspace, name: string, wa_id: string | undefined = someId()): Promise<string> {
  const { wa_id: _, ...flow } = { ...draft, id: newId(), workspace: workspace.id, name };
  await put({ ...keys.flow(workspace.id, flow.id), ...flow, ...(wa_id && { wa_id }) });
  if (wa_id) await put({ ...keys.upstreamFlow(wa_id), workspace: workspace.id, flow: flow.id });
  return wa_id;
}

const put = (Item: JsonObject) => dynamodb.table.client.send(new PutCommand({ TableName: dynamodb.table.name, Item }));

let acme: Workspace;
let other: Workspace;
let own: string;
let foreign: string;
beforeEach(async () => {
  const account = someId();
  acme = await newWorkspace(account);
  other = await newWorkspace(account);
  own = await newFlow(acme, 'Own');
  foreign = await newFlow(other, 'Foreign');
});

const hide = (body: JsonObject, owners = [acme]) => foreignFlowStore(dynamodb.table).hide(body, owners);
const message = (parameters: unknown) => ({ type: 'interactive', interactive: { action: { parameters } } });

describe('a Flow of another workspace', () => {
  it.each<[string, (flow: object) => JsonObject]>([
    ['the parameters of a message', message],
    ['a button of a template', (flow) => ({ components: [{ type: 'BUTTONS', buttons: [{ type: 'FLOW', ...flow }] }] })],
    ['a card', (flow) => ({ components: [{ cards: [{ components: [{ buttons: [flow] }] }] }] })],
    ['parameters as text', (flow) => message(JSON.stringify(flow))],
    ['buttons as text', (flow) => ({ components: JSON.stringify([{ buttons: [flow] }]) })],
  ])('is hidden in %s', async (_, bodyOf) => {
    const hidden = JSON.stringify(await hide(bodyOf({ flow_id: foreign, flow_name: 'Foreign' })));
    expect(hidden).not.toContain(foreign);
    expect(hidden).not.toContain('Foreign');
    const body = bodyOf({ flow_id: own, flow_name: 'Own', flow_cta: 'Go' });
    expect(await hide(body)).toEqual(body);
  });

  it('stays a number where it is one', async () => {
    const body = parseExactJson(`{"interactive":{"flow_id":${foreign}}}`) as JsonObject;
    expect(await hide(body)).toEqual({ interactive: { flow_id: 1 } });
  });

  it.each([(id: string) => `0${id}`, (id: string) => ` ${id}`, (id: string) => [id]])(
    'is hidden in another spelling of its id: %s',
    async (spell) => {
      expect(await hide(message({ flow_id: spell(foreign) }))).toEqual(message({ flow_id: '1' }));
    },
  );

  it('is that of one of the owners if there are several', async () => {
    const body = message({ flow_id: foreign, flow_name: 'Foreign' });
    expect(await hide(body, [acme, other])).toEqual(body);
  });
});

it('leaves a Flow that no workspace knows, and members without a text', async () => {
  const body = message({ flow_id: someId(), flow_name: '' });
  expect(await hide(body)).toEqual(body);
});

it('leaves what a client sends to its Flow, and texts', async () => {
  const data = { screen: 'A', data: { flow_name: 'Foreign', flow_id: foreign } };
  const body = {
    ...message({ flow_id: own, flow_action_payload: data }),
    text: { body: `{"flow_id": "${foreign}"}` },
  };
  expect(await hide(body)).toEqual(body);
});

it('leaves the digits of numbers in a text with JSON', async () => {
  const body = message(`{"flow_id":"${own}","flow_action_payload":{"data":{"order":12345678901234567890}}}`);
  expect(await hide(body)).toEqual(body);
});

describe('a name', () => {
  const named = (flow_name: string) => message({ flow_name });

  it('is not known to be that of a Flow before the upstream has accepted the Flow', async () => {
    await newFlow(acme, 'Pending', '');
    expect(await hide(named('Pending'))).not.toEqual(named('Pending'));
  });

  it('that no workspace knows is hidden if others share the account, or may do so', async () => {
    expect(await hide(named('Made elsewhere'))).not.toEqual(named('Made elsewhere'));
    const withoutAccount = await newWorkspace(null);
    expect(await hide(named('Made elsewhere'), [withoutAccount])).not.toEqual(named('Made elsewhere'));
    const alone = await newWorkspace(someId());
    expect(await hide(named('Made elsewhere'), [alone])).toEqual(named('Made elsewhere'));
  });
});

it('reads only for bodies that name Flows, and few times for many of them', async () => {
  const calls: string[] = [];
  watchTable(dynamodb.table, (command, send) => {
    calls.push(operationOf(command));
    return send(command);
  });
  await hide({ type: 'text', text: { body: 'Hi' } });
  expect(calls).toEqual([]);
  await hide({ components: Array.from({ length: 150 }, () => ({ flow_id: someId() })) });
  expect(calls).toEqual(['BatchGetItem']);
});

it('refuses a text with thousands of nested levels', async () => {
  await expect(hide({ interactive: '['.repeat(5_000) + ']'.repeat(5_000) })).rejects.toMatchObject({
    code: 'body.too-deep',
  });
});
