import { Icon } from '../../parts/icon.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { isGroup } from './chats.ts';
import { givenName } from './names.ts';

/** The first letter of the name that the contact has, or a drawing. */
export function Avatar({ contact, snapshot }: { contact: string; snapshot: Snapshot }) {
  const [letter] = givenName(contact, snapshot);
  return (
    <span class="avatar" aria-hidden="true">
      {letter?.toUpperCase() ?? <Icon name={isGroup(contact) ? 'people' : 'person'} />}
    </span>
  );
}
