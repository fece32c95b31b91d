import type { Command } from '@commander-js/extra-typings';
import { isLastOwner } from '#shared/domain/accounts/workspace.ts';
import type { Actions } from '../actions.ts';
import { findUser, findWorkspace } from '../lookup.ts';
import type { Service } from '../service.ts';
import { Rejection } from '../terminal/errors.ts';
import { example, exampleIds } from '../terminal/help.ts';
import { uuid } from '../terminal/parameters.ts';
import { memberViews } from '../views.ts';

export function addMemberCommands(program: Command, { onService, removing }: Actions): void {
  const group = program.command('member').description('Manages the members of workspaces.');

  group
    .command('add')
    .description('Makes a user a member or an owner of a workspace, or changes the role.')
    .argument('<workspace>', 'id of the workspace', uuid)
    .argument('<user>', 'id of the user', uuid)
    .option('--owner', 'make the user an owner, who may also change Flows; a member may only read them')
    .addHelpText('after', example(`member add ${exampleIds.workspace} ${exampleIds.user} --owner`))
    .action(
      onService(async (service, workspace, user, { owner = false }) => {
        await findWorkspace(service, workspace);
        const { name } = await findUser(service, user);
        if (!owner) await keepAnOwner(service, workspace, user);
        const role = owner ? 'owner' : 'member';
        await service.workspaces.putMember({ workspace, user, role });
        return { value: { workspace, user, name, role } };
      }),
    );

  removing(
    group
      .command('remove')
      .description('Removes a user from a workspace.')
      .argument('<workspace>', 'id of the workspace', uuid)
      .argument('<user>', 'id of the user', uuid)
      .addHelpText('after', example(`member remove ${exampleIds.workspace} ${exampleIds.user}`)),
    async (service, workspace, user) => {
      const { name } = await findWorkspace(service, workspace);
      await keepAnOwner(service, workspace, user);
      const member = (await memberViews(service, workspace)).find((each) => each.user === user);
      if (!member) throw new Rejection(`User ${user} is not a member of workspace ${workspace}.`);
      return {
        warning: `This removes ${member.name ?? user} (${member.role}) from workspace ${workspace} (${name}).`,
        removes: { memberships: 1 },
        async carryOut() {
          await service.workspaces.removeMember(workspace, user);
          return { value: { workspace, user }, note: 'Removed. The user no longer has access to this workspace.' };
        },
      };
    },
  );

  group
    .command('list')
    .description('Lists the members of a workspace and their roles.')
    .argument('<workspace>', 'id of the workspace', uuid)
    .addHelpText('after', example(`member list ${exampleIds.workspace}`))
    .action(
      onService(async (service, workspace) => {
        await findWorkspace(service, workspace);
        return { value: await memberViews(service, workspace) };
      }),
    );
}

/** Rejects a change that would leave a workspace without an owner. */
async function keepAnOwner({ workspaces, hint }: Service, workspace: string, leaving: string): Promise<void> {
  if (isLastOwner(await workspaces.listMembers(workspace), leaving)) {
    throw new Rejection(
      `User ${leaving} is the last owner. Without an owner, nobody can change the workspace's Flows. ` +
        `Make another user an owner first: ${hint`member add ${workspace} USER --owner`}`,
    );
  }
}
