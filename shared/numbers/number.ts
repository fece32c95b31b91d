/** A business phone number of a workspace. */
export interface PhoneNumber {
  id: string;
  workspace: string;
  /** The upstream's id of the number. */
  phone_number_id: string;
  display_phone_number: string;
  active: boolean;
  calling_enabled: boolean;
  /** Epoch milliseconds. */
  created_at: number;
}
