/** A message in the upstream's form, without the members that every request has. */
export type Message = Readonly<Record<string, unknown>>;

/** The upstream's response to a message that it accepted. It may have further members. */
export interface SentMessage {
  messages: { id: string; [member: string]: unknown }[];
  /** The recipient, as the request named it and as the platform knows it. */
  contacts: Record<string, unknown>[];
}

/** The messages of phone numbers. Every method throws `UpstreamError` when it fails. */
export interface UpstreamMessages {
  /** Sends a message, once. */
  send(phoneNumberId: string, message: Message): Promise<SentMessage>;
  /** Sends a marketing template by the upstream's own route for them, once. */
  sendMarketing(phoneNumberId: string, message: Message): Promise<SentMessage>;
  /** Marks a received message as read and, if the receipt says so, shows that the number is typing. */
  markRead(phoneNumberId: string, receipt: Message): Promise<void>;
}
