import { newId } from '../../shared/ids.ts';
import type { Workspace } from '../../shared/workspaces/workspace.ts';
import { defineCommand, flag, optional, required } from '../command.ts';
import { UsageError } from '../failures.ts';
import { findUser, findWorkspace } from '../lookup.ts';
import { line, upstreamId, userId, workspaceId } from '../parameters.ts';
import { memberViews, numberView, workspaceView } from '../views.ts';

export const workspaceCommands = [
  defineCommand({
    noun: 'workspace',
    verb: 'create',
    summary: 'Adds a workspace.',
    arguments: {},
    options: {
      name: required(line('NAME'), 'what people call it'),
      'waba-id': optional(upstreamId, 'its WhatsApp Business Account; Flows need one'),
      owner: optional(userId, 'the user who owns it'),
    },
    async run(service, { name, 'waba-id': wabaId = null, owner }) {
      const workspace: Workspace = { id: newId(), name, waba_id: wabaId, created_at: service.now() };
      if (owner !== undefined) {
        await findUser(service, owner);
        // Before the workspace: should that write fail, no workspace without its owner stays behind.
        await service.workspaces.putMember({ workspace: workspace.id, user: owner, role: 'owner' });
      }
      await service.workspaces.create(workspace);
      const value = workspaceView(workspace);
      return owner === undefined
        ? { value, note: `It has no owner yet: member add ${workspace.id} USER --owner` }
        : { value };
    },
  }),
  defineCommand({
    noun: 'workspace',
    verb: 'list',
    summary: 'Lists the workspaces.',
    arguments: {},
    options: {},
    async run({ workspaces }) {
      return { value: (await workspaces.list()).map(workspaceView) };
    },
  }),
  defineCommand({
    noun: 'workspace',
    verb: 'show',
    summary: 'Shows a workspace, its members and its numbers.',
    arguments: { workspace: workspaceId },
    options: {},
    async run(service, { workspace: id }) {
      const workspace = await findWorkspace(service, id);
      const members = await memberViews(service, id);
      const numbers = (await service.numbers.listByWorkspace(id)).map(numberView);
      return { value: { ...workspaceView(workspace), members, numbers } };
    },
  }),
  defineCommand({
    noun: 'workspace',
    verb: 'set-waba',
    summary: 'Gives a workspace another WhatsApp Business Account (--waba-id), or takes it away (--none).',
    arguments: { workspace: workspaceId },
    options: {
      'waba-id': optional(upstreamId, 'the account'),
      none: flag('no account: Flows can be read, but not made or changed'),
    },
    async run(service, { workspace: id, 'waba-id': wabaId, none }) {
      if (none === (wabaId !== undefined)) throw new UsageError('Give either --waba-id DIGITS or --none.');
      await service.workspaces.setBusinessAccount(id, wabaId ?? null);
      return { value: workspaceView(await findWorkspace(service, id)) };
    },
  }),
];
