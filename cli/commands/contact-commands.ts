import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import type { Actions } from '../command-actions.ts';
import { erase, type Found, findContact, placesOf, type Scope, summary } from '../contact/search.ts';
import { contactId } from '../contact/written-ids.ts';
import { findNumber, findWorkspace } from '../lookup.ts';
import type { Service } from '../service.ts';
import { UsageError } from '../terminal/errors.ts';
import { uuid } from '../terminal/parameters.ts';

export function addContactCommands(program: Command, { removing }: Actions): void {
  const group = program.command('contact').description('Manages what the service keeps about contacts.');

  removing(
    group
      .command('erase')
      .description('Erases what the service keeps about one person. Reads the whole table.')
      .argument('<contact>', "the person's phone number with its country code, or user id", contact)
      .option('--workspace <workspace>', 'only what belongs to this workspace and its numbers', uuid)
      .option('--number <number>', 'only what belongs to this number', uuid),
    async (service, id, { workspace, number }) => {
      const scope = await scopeOf(service, workspace, number);
      const storage = service.contacts();
      const found = await findContact(storage, await readPlaces(service), id, scope);
      const counts = summary(found);
      const isEmpty = Object.values(counts).every((count) => count === 0);
      return {
        ...(!isEmpty && { warning: `This erases what the service keeps about ${[...found.ids].join(', ')}.` }),
        removes: { contact: [...found.ids].join(', '), ...counts },
        async carryOut() {
          await erase(storage, found);
          return { value: { contact: [...found.ids].join(', '), ...counts }, note: noteOn(found, scope) };
        },
      };
    },
  );
}

function contact(text: string): string {
  const id = contactId(text);
  if (id === undefined)
    throw new InvalidArgumentError('It must be a phone number with its country code, or a user id.');
  return id;
}

async function scopeOf(service: Service, workspace?: string, number?: string): Promise<Scope> {
  if (workspace !== undefined && number !== undefined) throw new UsageError('Give --workspace or --number, not both.');
  if (number !== undefined) return new Set([(await findNumber(service, number)).id]);
  if (workspace === undefined) return undefined;
  await findWorkspace(service, workspace);
  const numbers = await service.numbers.listByWorkspace(workspace);
  return new Set([workspace, ...numbers.map(({ id }) => id)]);
}

async function readPlaces({ workspaces, numbers }: Service) {
  const all = await workspaces.list();
  return placesOf(all, (await Promise.all(all.map(({ id }) => numbers.listByWorkspace(id)))).flat());
}

function noteOn({ left }: Found, scope: Scope): string {
  return [
    'Repeat the command when the queues are empty, and after a redrive of dead letters or a restore.',
    'Backups of the table keep what was erased for 35 days, and receivers and the platform have copies of their own.',
    'docs/erasing.md says what the command cannot see.',
    ...(left.length > 0 ? [`Left, because it is not the contact's alone: ${[...new Set(left)].join(', ')}.`] : []),
    ...(scope ? ['Outside of the given workspace or number, nothing was changed.'] : []),
  ].join('\n');
}
