import type { PhoneNumber } from './number.ts';

/** Stores phone numbers, by id and by workspace. Each upstream phone number id occurs at most once. */
export interface NumberStore {
  /**
   * Creates a number with its targets and this signing secret, by default a new one. Resolves with `false` when the
   * upstream's phone number id already belongs to a number.
   */
  create(number: PhoneNumber, secret?: string): Promise<boolean>;
  get(number: string): Promise<PhoneNumber | undefined>;
  listByWorkspace(workspace: string): Promise<PhoneNumber[]>;
  /**
   * Switches a number or its calling on or off, or changes its display number. Resolves with `false` when the number
   * does not exist.
   */
  set(
    number: string,
    switched: Partial<Pick<PhoneNumber, 'active' | 'calling_enabled' | 'display_phone_number'>>,
  ): Promise<boolean>;
  /**
   * Deletes a number with its targets and secrets, and frees its phone number id. A failed deletion can be repeated.
   */
  delete(number: PhoneNumber): Promise<void>;
}
