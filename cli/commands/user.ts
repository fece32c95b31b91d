import { newId } from '../../shared/ids.ts';
import { defineCommand, required } from '../command.ts';
import { line } from '../parameters.ts';
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
];
