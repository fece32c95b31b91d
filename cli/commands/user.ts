import type { Command } from '@commander-js/extra-typings';
import { newId } from '#shared/base/ids.ts';
import { isLastOwner } from '#shared/domain/accounts/workspace.ts';
import type { Actions } from '../actions.ts';
import { findUser } from '../lookup.ts';
import type { Service } from '../service.ts';
import { Rejection } from '../terminal/errors.ts';
import { example, exampleIds } from '../terminal/help.ts';
import { line, uuid } from '../terminal/parameters.ts';
import { userView } from '../views.ts';

export function addUserCommands(program: Command, { onService, removing }: Actions): void {
  const group = program.command('user').description('Manages users: the people and programs that call the API.');

  group
    .command('create')
    .description('Creates a user: a person or a program that will call the API.')
    .requiredOption('--name <name>', 'the name to show in lists', line())
    .addHelpText('after', example("user create --name 'Ana Lima'"))
    .action(
      onService(async ({ users, now, hint }, { name }) => {
        const user = { id: newId(), name, created_at: now() };
        await users.create(user);
        return { value: userView(user), note: `To give it access: ${hint`token create --user ${user.id}`}` };
      }),
    );

  group
    .command('list')
    .description('Lists the users.')
    .addHelpText('after', example('user list'))
    .action(onService(async ({ users }) => ({ value: (await users.list()).map(userView) })));

  group
    .command('rename')
    .description('Changes the name of a user.')
    .argument('<user>', 'id of the user', uuid)
    .requiredOption('--name <name>', 'the new name', line())
    .addHelpText('after', example(`user rename ${exampleIds.user} --name 'Ana Souza'`))
    .action(
      onService(async (service, user, { name }) => {
        await service.users.rename(user, name);
        return { value: userView(await findUser(service, user)) };
      }),
    );

  removing(
    group
      .command('delete')
      .description('Deletes a user, revokes all its tokens and ends all its memberships.')
      .argument('<user>', 'id of the user', uuid)
      .addHelpText('after', example(`user delete ${exampleIds.user}`)),
    async (service, id) => {
      const user = await findUser(service, id);
      const workspaces = await workspacesOf(service, id);
      const owned = workspaces.find(({ isLastOwner }) => isLastOwner);
      if (owned) {
        throw new Rejection(
          `User ${id} is the last owner of workspace ${owned.workspace}. Delete the workspace, or make another user ` +
            `an owner first: ${service.hint`member add ${owned.workspace} USER --owner`}`,
        );
      }
      const tokens = await service.tokens.listByUser(id);
      return {
        warning: `This deletes user ${id} (${user.name}).`,
        removes: { tokens: tokens.length, memberships: workspaces.length },
        async carryOut() {
          // Delete the user last, so that the command can be repeated after a failure.
          for (const { hash } of tokens) await service.tokens.revoke(hash);
          for (const { workspace } of workspaces) await service.workspaces.removeMember(workspace, id);
          await service.users.delete(id);
          return {
            value: userView(user),
            note: `Deleted the user, ${tokens.length} tokens and ${workspaces.length} memberships.`,
          };
        },
      };
    },
  );
}

/**
 * Reads every workspace, because the index of memberships lags behind and may lack old ones. Users are rarely deleted.
 */
async function workspacesOf({ workspaces }: Service, user: string) {
  const all = await workspaces.list();
  const found = await Promise.all(
    all.map(async ({ id }) => {
      const members = await workspaces.listMembers(id);
      const isMember = members.some((member) => member.user === user);
      return isMember ? [{ workspace: id, isLastOwner: isLastOwner(members, user) }] : [];
    }),
  );
  return found.flat();
}
