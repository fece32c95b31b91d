import { randomInt } from 'node:crypto';
import { senderIds } from '../core/contacts.ts';
import type { Change } from '../core/platform.ts';
import { buildEvent, seconds } from '../events/events.ts';
import { type Media, storedFile } from '../media/media.ts';
import type { MediaStore } from '../media/store.ts';
import type { Call } from './calls.ts';
import { change, type Parties } from './events.ts';

export interface RecordingsOptions {
  readonly media: MediaStore;
  /** A download URL that is valid for five minutes. */
  readonly urlOf: (media: Media) => string;
  readonly now: () => number;
}

/** The bytes contain no sound, because no one spoke. */
const recordedSound = Buffer.from('OggS: a recording of the simulated platform');

/** Makes what the platform keeps of calls: recordings, transcripts and voicemail, as files for seven days. */
export class Recordings {
  readonly #options: RecordingsOptions;

  constructor(options: RecordingsOptions) {
    this.#options = options;
  }

  /** The events of what was recorded and transcribed of a call that was connected, after its end. */
  eventsOf(call: Call, between: Parties): Change[] {
    if (call.connected_at === null) return [];
    const recording = call.recording && { call_recording: { audio: this.#file(call, 'audio/ogg', recordedSound) } };
    const transcription = call.transcription && {
      call_transcript: { document: this.#file(call, 'application/json', transcriptOf(call)) },
    };
    return [
      ...(recording ? [this.#event(call, between, 'call_recording_available', recording)] : []),
      ...(transcription ? [this.#event(call, between, 'call_transcription_available', transcription)] : []),
    ];
  }

  /** The message that a contact leaves when a call is not answered. It has the id of the call. */
  voicemailOf(call: Call, { number, contact }: Parties): Change {
    const audio = { ...this.#file(call, 'audio/ogg; codecs=opus', recordedSound), voice: true };
    return buildEvent({ type: 'voicemail', id: call.id, contact, audio }, number, this.#options.now());
  }

  #event(call: Call, { number, contact }: Parties, event: string, members: object): Change {
    const timestamp = seconds(this.#options.now());
    return change(number, { calls: [{ id: call.id, ...senderIds(contact), timestamp, event, ...members }] });
  }

  /** Keeps a file, and describes it as webhooks do. */
  #file({ phone_number_id }: Call, mime_type: string, bytes: Buffer) {
    const { media, urlOf, now } = this.#options;
    const id = String(randomInt(10 ** 14, 2 ** 47));
    const file = storedFile({ id, phone_number_id, mime_type, bytes, now: now() });
    media.put(file);
    return { id, sha256: Buffer.from(file.sha256, 'hex').toString('base64'), mime_type, url: urlOf(file) };
  }
}

/** A transcript in the form of Meta's page "Call transcription". */
function transcriptOf({ connected_at, ended_at }: Call): Buffer {
  const duration = ((ended_at ?? 0) - (connected_at ?? 0)) / 1000;
  const said = { speaker: 'Business', channel: 0, start: 0, end: duration, text: 'Hello.', confidence: 0.99 };
  return Buffer.from(
    JSON.stringify({
      metadata: {
        processed_at: new Date(ended_at ?? 0).toISOString(),
        audio: { duration, sample_rate: 16_000, channels: 2, audio_format: 'stereo' },
      },
      transcript: {
        text: '[Business] Hello.',
        language: 'en',
        duration,
        confidence: 0.99,
        segments: [
          { id: 1, ...said, words: [{ word: 'Hello.', start: 0, end: duration, confidence: 0.99, lang: 'en' }] },
        ],
      },
    }),
  );
}
