import * as z from 'zod/mini';
import { dayMs } from '#shared/base/time.ts';

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

export interface Step {
  /** At least this stage has been reached. */
  stage: Exclude<Stage, 'prepared'>;
  /** The upstream's id of the message. */
  message?: string | undefined;
  /** The screen that the contact sees; a name that the Flow declares. */
  screen?: string | undefined;
}

export interface FunnelChange {
  stages: readonly CountedStage[];
  /** How many more, or fewer, contacts are on each screen. */
  screens: Readonly<Record<string, number>>;
}

export type CountedStage = Exclude<Stage, 'prepared'>;

/** The change that a step makes to the record of a sent Flow and to the counts of its Flow. */
export interface Progress {
  record: Pick<SentFlow, 'stage' | 'message' | 'screen'>;
  counts: FunnelChange;
}

/**
 * What a step changes; `undefined` if it changes nothing, as when it is repeated. Steps may come in any order, and some
 * never come: a stage implies those before it, so a Flow that is completed counts as opened and as sent.
 */
export function progressOf(sent: SentFlow, step: Step): Progress | undefined {
  const from = stages.indexOf(sent.stage);
  const to = Math.max(from, stages.indexOf(step.stage));
  const stage = stages[to] ?? sent.stage;
  const message = sent.message ?? step.message;
  const screen = stage === 'completed' ? undefined : (step.screen ?? sent.screen);
  if (to === from && message === sent.message && screen === sent.screen) return undefined;
  return {
    record: { stage, ...(message !== undefined && { message }), ...(screen !== undefined && { screen }) },
    counts: sent.draft
      ? nothing
      : { stages: stages.slice(from + 1, to + 1).filter(isCounted), screens: screenChanges(sent.screen, screen) },
  };
}

const nothing: FunnelChange = { stages: [], screens: {} };

const isCounted = (stage: Stage): stage is CountedStage => stage !== 'prepared';

function screenChanges(from: string | undefined, to: string | undefined): Record<string, number> {
  if (from === to) return {};
  return { ...(from !== undefined && { [from]: -1 }), ...(to !== undefined && { [to]: 1 }) };
}

/** How far the contacts came who received a Flow; `null` for what this service cannot know. */
export interface Funnel {
  sent: number;
  opened: number | null;
  completed: number;
  screens: { screen: string; stopped: number }[] | null;
}

/**
 * The funnel of a Flow, with the screens on which most contacts stopped first. Only the exchanges with its endpoint
 * show that a contact opened a Flow and how far they came, and only if this service can read them.
 */
export function funnelOf(
  { endpoint_url, endpoint_encrypted }: { endpoint_url: string | null; endpoint_encrypted: boolean },
  { sent, opened, completed, screens }: FunnelCounts,
): Funnel {
  if (endpoint_url === null || endpoint_encrypted) return { sent, opened: null, completed, screens: null };
  const stopped = [...screens].map(([screen, contacts]) => ({ screen, stopped: contacts }));
  const byContacts = stopped.toSorted(
    (one, other) => other.stopped - one.stopped || (one.screen < other.screen ? -1 : 1),
  );
  return { sent, opened, completed, screens: byContacts };
}

/** How many times a Flow was sent, and how far its contacts came. */
export interface FunnelCounts extends Record<CountedStage, number> {
  /** How many contacts saw each screen last without completing the Flow; only screens with contacts. */
  screens: ReadonlyMap<string, number>;
}
