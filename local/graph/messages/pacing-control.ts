import * as z from 'zod/mini';
import { type BusinessAccount, findNumber } from '../core/accounts.ts';
import { buildEvent, type Change } from '../events/events.ts';
import { type ControlRequest, type ControlRoute, readJson } from '../http/control-route.ts';
import { jsonResponse } from '../http/http.ts';
import type { SentMessage } from './message.ts';
import type { Outbox } from './outbox.ts';
import type { Pacing } from './pacing.ts';

export interface PacingControlOptions {
  readonly accounts: readonly BusinessAccount[];
  readonly pacing: Pacing;
  readonly outbox: Outbox;
  readonly announce: (change: Change) => void;
  readonly now: () => number;
}

const pacingSchema = z.strictObject({ state: z.enum(['held', 'released', 'dropped']) });

/** Holds the messages of a template, and decides what becomes of them. */
export function pacingControl({ accounts, pacing, outbox, announce, now }: PacingControlOptions): ControlRoute[] {
  const show = () => jsonResponse(200, { data: pacing.all() });
  const decide = {
    held: (template: string) => pacing.hold(template),
    released(template: string) {
      for (const { message, script } of pacing.release(template)) outbox.play(message.id, script);
    },
    dropped(template: string) {
      const held = pacing.drop(template);
      for (const { message } of held) outbox.play(message.id, [{ status: 'failed', code: 132015 }]);
      const languages = Map.groupBy(held, ({ message }) => languageOf(message));
      for (const [{ message } = {}] of languages.values()) if (message) announcePause(message);
    },
  };
  return [
    { method: 'GET', path: '/pacing', handle: show },
    {
      method: 'PUT',
      path: '/pacing/{template}',
      handle({ params: { template = '' }, body }: ControlRequest) {
        decide[readJson(pacingSchema, body).state](template);
        return show();
      },
    },
  ];

  function announcePause(message: SentMessage): void {
    const number = findNumber(accounts, message.phone_number_id);
    if (number === undefined) return;
    const { name } = Object(message.content);
    const paused = { event: 'PAUSED', message_template_name: name, message_template_language: languageOf(message) };
    announce(buildEvent({ type: 'message_template_status_update', ...paused }, number, now()));
  }
}

function languageOf({ content }: SentMessage): string {
  return Object(content).language.code;
}
