import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sdpOf } from '#support/sdp.ts';
import { type Entry, readRecording } from './recording.ts';
import { saveRecording } from './save.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'save-recording-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const number = '106540352242922';

/** A message that came in, as an event of the platform. */
function received(message: object): Entry {
  const metadata = { display_phone_number: '15550100001', phone_number_id: number };
  const value = { messaging_product: 'whatsapp', metadata, messages: [{ from: '5511988887777', ...message }] };
  return {
    at: 0,
    event: { object: 'whatsapp_business_account', entry: [{ id: '1', changes: [{ field: 'messages', value }] }] },
  };
}

const text = (body: string) => received({ type: 'text', text: { body } });

const requested = (path: string, json: object): Entry => ({
  at: 0,
  request: { method: 'POST', path, query: { fields: 'id,name' }, body: { json } },
  response: { status: 200, body: { json: { success: true } } },
});

const uploaded: Entry = {
  at: 0,
  request: {
    method: 'DELETE',
    path: `/v25.0/${number}/media`,
    body: { form: [{ name: 'file', file: { type: 'application/pdf', size: 3 } }] },
  },
  response: { status: 200, body: { bytes: { type: 'image/jpeg', size: 3 } } },
};

const msid = 'a=msid:5d8f6d5e-3c5b-4b62 0f2c6c0e-8a3e-4f0b\r\n';
const called = requested(`/v25.0/${number}/calls`, {
  session: { sdp_type: 'offer', sdp: `${sdpOf('offer')}${msid}a=candidate:1 1 udp 1 203.0.113.9 3480 typ host\r\n` },
});
const key = requested(`/v25.0/${number}/whatsapp_business_encryption`, {
  business_public_key: '-----BEGIN PUBLIC KEY-----\nMIIBsecret\n-----END PUBLIC KEY-----',
});

async function saved(entries: Entry[]) {
  const file = join(folder, `${crypto.randomUUID()}.jsonl`);
  const lines = saveRecording(file, 'https://graph.facebook.com', entries);
  const content = await readFile(file, 'utf8');
  return { lines, content, entries: readRecording(content).entries };
}

const words = `Post Delete Host Audio Group Event Media Publish Json Form Request Response Path Setup Application Track
  Stream Ufrag Messages Calls Method Query Body Bytes Size Status Value Name File Type Image Jpeg Public Begin Opus True
  Unused Someone Redacted Example Candidate Fields passwordpasswordpassword`.split(/\s+/);

describe('a recording', () => {
  it.each(words)('keeps everything of a session in which somebody wrote %s', async (word) => {
    const entries = [
      text(word),
      text(word.toLowerCase()),
      uploaded,
      called,
      key,
      requested(`/v25.0/${number}/messages`, { to: 'unused', text: { body: 'true' } }),
      requested('/v25.0/1017487623455566/publish', {}),
    ];
    const { lines, entries: kept } = await saved(entries);
    expect(lines).toEqual([expect.stringMatching(/^recorded 7 entries in /)]);
    expect(kept).toHaveLength(entries.length);
  });

  it('keeps numbers that are as fictional as those that replace others', async () => {
    const { lines, content } = await saved([received({ from: '15550000000', type: 'text', text: { body: 'Hello' } })]);
    expect(lines).toEqual([expect.stringMatching(/^recorded 1 entry in /)]);
    expect(content).not.toContain('"15550000000"');
  });

  it('leaves out the only entry that would still show something, says where, and keeps the others', async () => {
    const { lines, content, entries } = await saved([
      text('Zaca-77'),
      text('Hello'),
      received({ type: 'x/Zaca-77', 'to.Zaca-77': { status: 'y/Zaca-77' } }),
    ]);
    expect(lines).toEqual([
      expect.stringMatching(/^recorded 2 entries in /),
      'left out 1 entry, which would still have shown what the rules replace elsewhere:',
      '  event 3 of 3: event.entry[0].changes[0].value.messages[0].type, a name in event.entry[0].changes[0].value.messages[0]',
      'The rules are in local/recording/rules.ts.',
    ]);
    expect(entries).toHaveLength(2);
    expect(content).not.toContain('Zaca');
  });
});
