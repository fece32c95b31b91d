import { setTimeout as sleep } from 'node:timers/promises';
import { type EventNote, noteIntervalMs } from '#shared/ingestion/event-notes.ts';
import type { Outcome, Setup } from './steps.ts';

const defaultWaitSeconds = 300;
const pollMs = 1_000;

const names: Readonly<Record<EventNote['kind'], string>> = {
  message: 'A message',
  call: 'A call',
  status: 'The status of a message',
  error: 'An error',
  field: 'An event',
};

/** Asks for a message to the number and shows it arrive, by the note of the number's last event. */
export async function showArrival({ service, number, options, terminal, steps, self }: Setup): Promise<Outcome> {
  if (steps.has('failed')) return { state: 'not-tried', text: 'something above has to be fixed first.' };
  const { display_phone_number: shown } = number;
  if (options.dryRun) return { state: 'would', text: `ask for a message to ${shown} and show it arrive.` };
  const { eventNotes, now, hint } = service;
  const before = await eventNotes.get(number.id);
  // Events are noted once a minute, so a further one would not show.
  const isRecent = before !== undefined && now() - before.last_event_at < noteIntervalMs;
  // After a change, an earlier event proves nothing.
  if (before && !steps.has('done') && (isRecent || !options.waitSeconds)) {
    return { state: 'already', text: arrived(before) };
  }
  const waitSeconds = options.waitSeconds ?? (terminal.isInteractive ? defaultWaitSeconds : 0);
  const ask = `Send a WhatsApp message to ${shown}`;
  if (waitSeconds === 0) return { state: 'left', text: `${ask}. To see when the last event arrived: ${self}` };
  const seconds = waitSeconds === 1 ? '1 second' : `${waitSeconds} seconds`;
  terminal.say(`${ask} now. Waiting for up to ${seconds}; Ctrl-C ends this.`);
  const note = await nextNote(() => eventNotes.get(number.id), before, waitSeconds);
  if (note) {
    // Any event shows that events come here.
    const other = note.kind === 'message' ? '' : ' It shows that events come here, but it is not the message.';
    return { state: 'done', text: `${arrived(note)}${other}` };
  }
  return {
    state: 'failed',
    text:
      `no event of the number arrived within ${seconds}. Check that the message was sent to this number, and that the ` +
      'app is live (App Dashboard: Publish, or App Mode on older screens). If an event named another number: ' +
      hint`doctor ${number.id}`,
  };
}

/** Looks until there is another note than before, or the time is over. */
async function nextNote(
  read: () => Promise<EventNote | undefined>,
  before: EventNote | undefined,
  waitSeconds: number,
): Promise<EventNote | undefined> {
  for (let left = waitSeconds * 1000; left > 0; left -= pollMs) {
    const note = await read();
    if (note?.last_event_at !== before?.last_event_at) return note;
    await sleep(Math.min(left, pollMs));
  }
  return undefined;
}

const arrived = ({ kind, last_event_at }: EventNote) =>
  `${names[kind]} arrived at ${new Date(last_event_at).toISOString().replace(/\.\d+/, '')}.`;
