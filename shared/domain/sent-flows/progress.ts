import { type SentFlow, type Stage, stages } from './sent-flow.ts';

/** News about a sent Flow. */
export interface Step {
  /** At least this stage has been reached. */
  stage: Exclude<Stage, 'prepared'>;
  /** The upstream's id of the message. */
  message?: string | undefined;
  /** The screen that the contact sees; a name that the Flow declares. */
  screen?: string | undefined;
}

/** What a step adds to the counts of a Flow. */
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
      : { stages: stages.slice(from + 1, to + 1).filter(isCounted), screens: moved(sent.screen, screen) },
  };
}

const nothing: FunnelChange = { stages: [], screens: {} };

const isCounted = (stage: Stage): stage is CountedStage => stage !== 'prepared';

function moved(from: string | undefined, to: string | undefined): Record<string, number> {
  if (from === to) return {};
  return { ...(from !== undefined && { [from]: -1 }), ...(to !== undefined && { [to]: 1 }) };
}
