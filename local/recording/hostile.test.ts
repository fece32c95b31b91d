import { expect, it } from 'vitest';
import { isObject } from '#shared/base/json/json-object.ts';
import { buildEvent, eventTypes } from '../graph/events/events.ts';
import type { Entry, Json } from './recording.ts';
import { redact } from './redact.ts';
import { rules } from './rules.ts';

const name = 'Zacanary Quillop';
const phone = '5511987650042';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const both = `${name} ${phone}`;

/** What may stand in any place of a session, in the ways in which it may be written. */
const canaries: Record<string, string> = {
  'as it is': both,
  'in capitals': both.toUpperCase(),
  'percent-encoded': encodeURIComponent(both),
  'percent-encoded twice': encodeURIComponent(encodeURIComponent(both)),
  'with plus signs': new URLSearchParams({ q: both }).toString(),
  'in the query of a link': `https://${'example.com'}/?${new URLSearchParams({ name, phone })}`,
  'in base64': base64(both),
  'in base64 for URLs': Buffer.from(`>>${both}??`).toString('base64url'),
  'in JSON in a text': JSON.stringify({ note: name, to: phone }),
  'in JSON in JSON in a text': JSON.stringify({ note: JSON.stringify({ note: JSON.stringify([name, phone]) }) }),
  'in base64 in JSON in a text': JSON.stringify({ note: base64(both) }),
  'as a number with punctuation': '+55 (11) 98765-0042',
  'in a message id': `wamid.${base64(`\x1c\x18\x0d${phone}\x15\x02`)}`,
};

const kept = new Set(rules.keep.map((rule) => rule.split('.').at(-1)));

/** The paths to all texts of a value that are not words of the platform by their names. */
function places(value: Json, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => places(item, [...path, index]));
  if (isObject(value)) return Object.entries(value).flatMap(([key, member]) => places(member, [...path, key]));
  const member = path.findLast((part) => typeof part === 'string');
  return typeof value === 'string' && !kept.has(String(member)) ? [path] : [];
}

function planted(value: Json, [part, ...rest]: readonly (string | number)[], canary: string): Json {
  if (part === undefined) return canary;
  if (Array.isArray(value)) return value.map((item, at) => (at === part ? planted(item, rest, canary) : item));
  return isObject(value) ? { ...value, [part]: planted(value[part], rest, canary) } : value;
}

/** Reads a text in every way that hides a canary, apart from the code that is tested. */
function readings(text: string, depth = 3): string[] {
  if (depth === 0) return [text];
  const runs = text.match(/[\w+/-]{12,}/g) ?? [];
  const unescaped = text.replaceAll(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  const decoded = runs.map((run) => Buffer.from(run, 'base64').toString('latin1'));
  return [text, ...[unescaped, ...decoded].filter((one) => one !== text).flatMap((one) => readings(one, depth - 1))];
}

const shows = (text: string) => readings(text).some((one) => /zacanary|quillop|5511987650042|98765\D?0042/i.test(one));

const events = eventTypes
  .filter((type) => type !== 'field')
  .map((type) => {
    const contact = { profile: { name: 'A', username: 'a' }, wa_id: '16505551234', user_id: 'US.1' };
    const { field, value } = buildEvent(
      { type, contact },
      { wabaId: '1', phoneNumberId: '2', displayPhoneNumber: '15550100001' },
      0,
    );
    return { type, event: { object: 'whatsapp_business_account', entry: [{ id: '1', changes: [{ field, value }] }] } };
  });

it.each(Object.entries(canaries))(
  'nothing is left of a name and a number %s, in any place of any event',
  (_, canary) => {
    expect(shows(canary)).toBe(true);
    const left: string[] = [];
    for (const { type, event } of events) {
      for (const path of places(event)) {
        const entries: Entry[] = [{ at: 0, event: planted(event, path, canary) }];
        if (shows(JSON.stringify(redact(entries)))) left.push(`${type}: ${path.join('.')}`);
      }
    }
    expect(left).toEqual([]);
  },
);

it.each(Object.entries(canaries))(
  'nothing is left of a name and a number %s, in a request or a response',
  (_, canary) => {
    const body = {
      json: { biz_opaque_callback_data: canary, error: { message: canary, error_data: { details: canary } } },
    };
    const entries: Entry[] = [
      {
        at: 0,
        request: {
          method: 'POST',
          path: `/v25.0/${encodeURIComponent(canary)}/messages`,
          query: { user_wa_id: canary, token: canary, anything: canary },
          body: { form: [{ name: 'anything', value: canary }] },
        },
        response: { status: 400, body },
      },
      {
        at: 0,
        request: { method: 'POST', path: '/v25.0/1/messages', body: { json: { [canary]: { [canary]: canary } } } },
        response: { status: 200, body },
      },
    ];
    expect(redact(entries).filter((entry) => shows(JSON.stringify(entry)))).toEqual([]);
  },
);
