import { setTimeout as sleep } from 'node:timers/promises';
import type { EventNote } from '#shared/domain/ingestion/event-notes.ts';
import { noteIntervalMs } from '#shared/domain/ingestion/event-notes.ts';
import type { PhoneNumber } from '#shared/domain/subscribers/number.ts';
import type { Service } from '../../service.ts';
import type { Outcome } from '../steps.ts';

interface ArrivalPlan {
  number: PhoneNumber;
  wabaId: string;
  /** The command. */
  self: string;
  /** The longest wait in seconds; 0 does not wait. */
  waitSeconds: number;
  /** Whether the person asked to wait for a new event, although one may have arrived before. */
  wantsNew: boolean;
  /** Whether this run has changed something, so that an earlier event proves nothing. */
  hasChanged: boolean;
  say: (line: string) => void;
}

const pollMs = 1_000;

const names: Readonly<Record<EventNote['kind'], string>> = {
  message: 'A message',
  call: 'A call',
  status: 'The status of a message',
  error: 'An error',
  field: 'An event',
};

/** Asks for a message to the number and shows it arrive, by the note of the number's last event. */
export async function showArrival(
  { eventNotes, now }: Pick<Service, 'eventNotes' | 'now'>,
  { number, wabaId, self, waitSeconds, wantsNew, hasChanged, say }: ArrivalPlan,
): Promise<Outcome> {
  const started = now();
  const before = await eventNotes.get(number.id);
  const isRecent = before !== undefined && started - before.last_event_at < noteIntervalMs;
  if (before && !hasChanged && (!wantsNew || isRecent)) {
    return { state: 'already', text: `${names[before.kind]} arrived at ${timeOf(before)}.` };
  }
  const seconds = waitSeconds === 1 ? '1 second' : `${waitSeconds} seconds`;
  const ask = `Send a WhatsApp message to ${number.display_phone_number}`;
  if (waitSeconds === 0) {
    return { state: 'left', text: `${ask}. To see when the last event arrived: ${self}` };
  }
  say(`${ask} now. Waiting for up to ${seconds}; Ctrl-C ends this.`);
  for (let left = waitSeconds * 1000; left > 0; left -= pollMs) {
    const note = await eventNotes.get(number.id);
    if (note && note.last_event_at !== before?.last_event_at) {
      return { state: 'done', text: arrived(note) };
    }
    await sleep(Math.min(left, pollMs));
  }
  const strangers = (await eventNotes.unknownNumbers()).filter(
    ({ waba_id, last_event_at }) => waba_id === wabaId && last_event_at >= started - noteIntervalMs,
  );
  const [stranger] = strangers;
  const clue = stranger
    ? `An event arrived for ${stranger.display_phone_number ?? 'a number'}, whose phone number id is ` +
      `${stranger.phone_number_id}: no number here has this id.`
    : 'Check that the message was sent to this number, and that the app is live (App Dashboard: Publish, or App Mode on older screens).';
  const rare = isRecent ? ' An event arrived just before, and events are noted once a minute: try again.' : '';
  return { state: 'failed', text: `no event of the number arrived within ${seconds}. ${clue}${rare}` };
}

/** Any event shows that events come here. */
function arrived(note: EventNote): string {
  const other = note.kind === 'message' ? '' : ' It shows that events come here, but it is not the message.';
  return `${names[note.kind]} arrived at ${timeOf(note)}.${other}`;
}

const timeOf = ({ last_event_at }: EventNote) => new Date(last_event_at).toISOString().replace(/\.\d+/, '');
