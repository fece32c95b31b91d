import { defineCommand, flag } from '../command.ts';
import { Refusal } from '../failures.ts';
import { findUser, findWorkspace } from '../lookup.ts';
import { userId, workspaceId } from '../parameters.ts';
import type { Service } from '../service.ts';
import { memberViews } from '../views.ts';

export const memberCommands = [
  defineCommand({
    noun: 'member',
    verb: 'add',
    summary: 'Makes a user a member or an owner of a workspace, or changes which of the two.',
    arguments: { workspace: workspaceId, user: userId },
    options: { owner: flag('an owner, who may change Flows too; otherwise a member, who may read') },
    async run(service, { workspace, user, owner }) {
      await findWorkspace(service, workspace);
      const { name } = await findUser(service, user);
      if (!owner) await keepAnOwner(service, workspace, user);
      const role = owner ? 'owner' : 'member';
      await service.workspaces.putMember({ workspace, user, role });
      return { value: { workspace, user, name, role } };
    },
  }),
  defineCommand({
    noun: 'member',
    verb: 'remove',
    summary: 'Takes a user out of a workspace.',
    arguments: { workspace: workspaceId, user: userId },
    options: {},
    async run(service, { workspace, user }) {
      await findWorkspace(service, workspace);
      await keepAnOwner(service, workspace, user);
      const wasMember = await service.workspaces.removeMember(workspace, user);
      if (!wasMember) throw new Refusal(`User ${user} is no member of workspace ${workspace}.`);
      return { value: { workspace, user }, note: 'Removed: the user no longer sees this workspace.' };
    },
  }),
  defineCommand({
    noun: 'member',
    verb: 'list',
    summary: 'Lists the members of a workspace and who of them owns it.',
    arguments: { workspace: workspaceId },
    options: {},
    async run(service, { workspace }) {
      await findWorkspace(service, workspace);
      return { value: await memberViews(service, workspace) };
    },
  }),
];

/** Refuses what would leave a workspace that has an owner without one. */
async function keepAnOwner({ workspaces }: Service, workspace: string, leaving: string): Promise<void> {
  const owners = (await workspaces.listMembers(workspace)).filter(({ role }) => role === 'owner');
  if (owners.length === 1 && owners[0]?.user === leaving) {
    throw new Refusal(
      `User ${leaving} is the last owner, and without one nobody can change the workspace's Flows; ` +
        `make another user owner first: member add ${workspace} USER --owner`,
    );
  }
}
