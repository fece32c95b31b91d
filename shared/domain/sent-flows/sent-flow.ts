import * as z from 'zod/mini';
import { dayMs } from '#shared/base/time/duration.ts';

/** How far a sent Flow has come; each stage follows the one before it. */
export const stages = ['prepared', 'sent', 'opened', 'completed'] as const;

export type Stage = (typeof stages)[number];

/** A message that carries a Flow to one contact, found by its flow token. Nothing that the contact types is stored. */
export interface SentFlow {
  token_hash: string;
  workspace: string;
  number: string;
  flow: string;
  /** The phone number, without a plus sign, or the user id to which the message went. */
  contact: string;
  /** A draft is sent to try it out, so it does not count in the funnel. */
  draft: boolean;
  /** Epoch milliseconds. */
  created_at: number;
  /** When the endpoint stops accepting the token, in epoch milliseconds. */
  expires_at: number;
  stage: Stage;
  /** The upstream's id of the message. */
  message?: string;
  /** The last screen that the contact is known to have seen; absent once the Flow is completed. */
  screen?: string;
  /** Incremented by every write, so that only one of two writers at the same time succeeds. */
  revision: number;
}

/** A Flow stays open on a phone, and its final response may arrive long after the token has expired. */
const keptAfterExpiryMs = 30 * dayMs;

/** When the record of a sent Flow is deleted, in epoch milliseconds. */
export const keptUntil = ({ expires_at }: Pick<SentFlow, 'expires_at'>): number => expires_at + keptAfterExpiryMs;

/**
 * What customers learn about a sent Flow with each of its exchanges and with its final response. `message` is absent if
 * the upstream accepted the message but its response was lost.
 */
export const sentFlowReference = z.object({ flow: z.uuid(), message: z.optional(z.string()), contact: z.string() });

export type SentFlowReference = z.infer<typeof sentFlowReference>;

export const referenceTo = ({ flow, message, contact }: SentFlowReference): SentFlowReference => ({
  flow,
  ...(message !== undefined && { message }),
  contact,
});
