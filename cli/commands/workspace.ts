import { newId } from '#shared/base/ids.ts';
import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import { defineCommand, flag, optional, required } from '../command.ts';
import { Refusal, UsageError } from '../failures.ts';
import { findUser, findWorkspace } from '../lookup.ts';
import { line, upstreamId, userId, workspaceId } from '../parameters.ts';
import type { Service } from '../service.ts';
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
  defineCommand({
    noun: 'workspace',
    verb: 'rename',
    summary: 'Changes the name of a workspace.',
    arguments: { workspace: workspaceId },
    options: { name: required(line('NAME'), 'the new name') },
    async run(service, { workspace: id, name }) {
      await service.workspaces.rename(id, name);
      return { value: workspaceView(await findWorkspace(service, id)) };
    },
  }),
  defineCommand({
    noun: 'workspace',
    verb: 'delete',
    summary: 'Deletes a workspace without numbers, with its members and its deprecated Flows.',
    arguments: { workspace: workspaceId },
    options: {},
    async run(service, { workspace: id }) {
      const workspace = await findWorkspace(service, id);
      await refuseInUse(service, id);
      await service.workspaces.delete(id);
      return {
        value: workspaceView(workspace),
        note: `Deleted. If the workspace had Flow keys, their secret was not deleted (its name ends in flow-keys/${id}). Delete it in Secrets Manager if you no longer need it.`,
      };
    },
  }),
];

/** Refuses to delete a workspace that something still depends on. */
async function refuseInUse({ numbers, flows }: Service, workspace: string): Promise<void> {
  const [number] = await numbers.listByWorkspace(workspace);
  if (number) {
    throw new Refusal(
      `Workspace ${workspace} still has the number ${number.id} (${number.display_phone_number}): first number delete ${number.id}`,
    );
  }
  for await (const { id, name, status } of flows.list({ workspace })) {
    if (status === 'DEPRECATED') continue;
    throw new Refusal(
      `Workspace ${workspace} still has the Flow ${id} (${name}), which is on the platform, too: first delete it over the ` +
        `API (DELETE /v2/workspaces/${workspace}/flows/${id}), which deprecates it if it was published.`,
    );
  }
}
