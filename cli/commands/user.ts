import { newId } from '#shared/base/ids.ts';
import { defineCommand, required } from '../command.ts';
import { Refusal } from '../failures.ts';
import { findUser } from '../lookup.ts';
import { line, userId } from '../parameters.ts';
import type { Service } from '../service.ts';
import { userView } from '../views.ts';

export const userCommands = [
  defineCommand({
    noun: 'user',
    verb: 'create',
    summary: 'Adds somebody, or some program, that will call the API.',
    arguments: {},
    options: { name: required(line('NAME'), 'who it is, for lists like these') },
    async run({ users, now }, { name }) {
      const user = { id: newId(), name, created_at: now() };
      await users.create(user);
      return { value: userView(user), note: `To let it in: token create --user ${user.id}` };
    },
  }),
  defineCommand({
    noun: 'user',
    verb: 'list',
    summary: 'Lists the users.',
    arguments: {},
    options: {},
    async run({ users }) {
      return { value: (await users.list()).map(userView) };
    },
  }),
  defineCommand({
    noun: 'user',
    verb: 'rename',
    summary: 'Changes the name of a user.',
    arguments: { user: userId },
    options: { name: required(line('NAME'), 'the new name') },
    async run(service, { user, name }) {
      await service.users.rename(user, name);
      return { value: userView(await findUser(service, user)) };
    },
  }),
  defineCommand({
    noun: 'user',
    verb: 'delete',
    summary: 'Deletes a user, revoking all tokens and ending all memberships.',
    arguments: { user: userId },
    options: {},
    async run(service, { user: id }) {
      const user = await findUser(service, id);
      const workspaces = await workspacesOf(service, id);
      const owned = workspaces.find(({ isLastOwner }) => isLastOwner);
      if (owned) {
        throw new Refusal(
          `User ${id} is the last owner of workspace ${owned.workspace}: make another user owner first ` +
            `(member add ${owned.workspace} USER --owner), or delete the workspace (workspace delete ${owned.workspace}).`,
        );
      }
      const tokens = await service.tokens.listByUser(id);
      // The user goes last: whatever fails before, the command can be repeated.
      for (const { hash } of tokens) await service.tokens.revoke(hash);
      for (const { workspace } of workspaces) await service.workspaces.removeMember(workspace, id);
      await service.users.delete(id);
      return {
        value: userView(user),
        note: `Deleted the user, ${tokens.length} tokens and ${workspaces.length} memberships.`,
      };
    },
  }),
];

/** There is no index for it: an operator seldom asks, and workspaces are few. */
async function workspacesOf({ workspaces }: Service, user: string) {
  const all = await workspaces.list();
  const found = await Promise.all(
    all.map(async ({ id }) => {
      const members = await workspaces.listMembers(id);
      const owners = members.filter(({ role }) => role === 'owner');
      const isMember = members.some((member) => member.user === user);
      return isMember ? [{ workspace: id, isLastOwner: owners.length === 1 && owners[0]?.user === user }] : [];
    }),
  );
  return found.flat();
}
