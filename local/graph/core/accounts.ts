import { phoneDigits } from './contacts.ts';

/** A phone number of a WhatsApp Business Account. */
interface PhoneNumber {
  readonly id: string;
  readonly display_phone_number: string;
  readonly calling_enabled?: boolean;
}

/** A WhatsApp Business Account (WABA) that the access token may manage. */
export interface BusinessAccount {
  readonly waba_id: string;
  readonly name?: string;
  readonly phone_numbers: readonly PhoneNumber[];
}

/** A phone number with its account. */
export interface BusinessNumber {
  readonly wabaId: string;
  readonly phoneNumberId: string;
  /** As Graph shows it. */
  readonly displayPhoneNumber: string;
  /** As webhooks name it: digits only, also in `display_phone_number`. */
  readonly phoneNumber: string;
  readonly callingEnabled: boolean;
}

export function numbersOf(accounts: readonly BusinessAccount[]): BusinessNumber[] {
  return accounts.flatMap(({ waba_id, phone_numbers }) =>
    phone_numbers.map(({ id, display_phone_number, calling_enabled = false }) => ({
      wabaId: waba_id,
      phoneNumberId: id,
      displayPhoneNumber: display_phone_number,
      phoneNumber: phoneDigits(display_phone_number) ?? display_phone_number,
      callingEnabled: calling_enabled,
    })),
  );
}

export function findNumber(accounts: readonly BusinessAccount[], phoneNumberId: string): BusinessNumber | undefined {
  return numbersOf(accounts).find((number) => number.phoneNumberId === phoneNumberId);
}

export function accountName({ waba_id, name = `Account ${waba_id}` }: BusinessAccount): string {
  return name;
}

/** The only app of the simulated platform. */
export const simulatedApp = {
  id: '500000000000001',
  name: 'Local app',
  link: 'https://www.facebook.com/games/?app_id=500000000000001',
  category: 'Business',
} as const;

/** An app that somebody else has. */
export const otherApp = { id: '500000000000002', name: 'Other app' } as const;

/** The business portfolio that owns the app and the accounts. */
export const simulatedBusiness = { id: '600000000000001', name: 'Local business' } as const;
