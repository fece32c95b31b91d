import type { Workspace } from '#shared/domain/accounts/workspace.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import { phoneNumberOf } from './written-ids.ts';

type OfWorkspace = Pick<Workspace, 'id' | 'own_credentials'>;
type OfNumber = Pick<PhoneNumber, 'id' | 'workspace' | 'phone_number_id' | 'display_phone_number'>;

/** Who speaks for the subscribers of this service, and what is its own. */
export type Places = ReturnType<typeof placesOf>;

export function placesOf(workspaces: readonly OfWorkspace[], numbers: readonly OfNumber[]) {
  const workspaceOf = new Map(numbers.map(({ id, workspace }) => [id, workspace]));
  const sharesApp = new Map(workspaces.map(({ id, own_credentials }) => [id, own_credentials !== true]));
  return {
    /**
     * The app whose events the subscriber gets: that of the deployment, or one of its workspace. What was removed here is
     * nobody's.
     */
    appOf(subscriber: string): string {
      const workspace = workspaceOf.get(subscriber) ?? subscriber;
      return sharesApp.get(workspace) ? 'deployment' : workspace;
    },

    /** The numbers whose files an event of the subscriber may name: a workspace gets events of all its numbers. */
    numbersOf(subscriber: string): string[] {
      const ofWorkspace = numbers.filter(({ workspace }) => workspace === subscriber).map(({ id }) => id);
      return [subscriber, ...ofWorkspace];
    },

    /** The number of this service that an id stands for. */
    ownNumber: (id: string) =>
      numbers.find(
        ({ phone_number_id, display_phone_number }) =>
          id === phone_number_id || id === phoneNumberOf(display_phone_number),
      ),
  };
}
