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
  /** Some older accounts reject edits of a published Flow (139001). In others it becomes a draft. */
  readonly rejects_published_edits?: boolean;
}

/** A phone number with its account. */
export interface BusinessNumber {
  readonly wabaId: string;
  readonly phoneNumberId: string;
  readonly displayPhoneNumber: string;
  readonly callingEnabled: boolean;
}

export function numbersOf(accounts: readonly BusinessAccount[]): BusinessNumber[] {
  return accounts.flatMap(({ waba_id, phone_numbers }) =>
    phone_numbers.map(({ id, display_phone_number, calling_enabled = false }) => ({
      wabaId: waba_id,
      phoneNumberId: id,
      displayPhoneNumber: display_phone_number,
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
