/** A phone number of a WhatsApp Business Account. */
interface PhoneNumber {
  readonly id: string;
  readonly display_phone_number: string;
}

/** A WhatsApp Business Account (WABA) that the access token may manage. */
export interface BusinessAccount {
  readonly waba_id: string;
  readonly name?: string;
  readonly phone_numbers: readonly PhoneNumber[];
  /** Some older accounts refuse to edit a published Flow (139001) where others turn it into a draft. */
  readonly refuses_published_edits?: boolean;
}
