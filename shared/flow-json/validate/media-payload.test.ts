// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how Flow JSON writes dynamic values.
import { describe, expect, it } from 'vitest';
import {
  errorsOf,
  examples,
  flow,
  footer,
  type Json,
  navigateTo,
  pointedAt,
  screen,
  step,
  warningsOf,
} from '#support/flows/flow-json.ts';

const photos = { ...examples.PhotoPicker, name: 'photos' };
const list = { type: 'array', items: { type: 'string' }, __example__: [] };

describe('uploaded files', () => {
  it.each(['complete', 'data_exchange'])('may be sent to the business with %s', (name) => {
    const end = footer({ name, payload: { photos: '${form.photos}', note: { about: ['photos'] } } });
    const endpoint = { data_api_version: '3.0', routing_model: { END: [] } };
    expect(pointedAt(flow([screen('END', [photos, end])], endpoint))).toEqual([]);
  });

  it.each([{ files: { photos: '${form.photos}' } }, { files: ['${form.photos}'] }])(
    'must be at the top level of the payload, not as in %j',
    (payload) => {
      const json = flow([screen('END', [photos, footer({ name: 'complete', payload })])]);
      expect(pointedAt(json)).toEqual([['INVALID_ON_CLICK_ACTION_PAYLOAD', '"${form.photos}"']]);
    },
  );

  it('may not be sent to another screen', () => {
    const begin = step('BEGIN', [photos, footer(navigateTo('END', { photos: '${form.photos}' }))]);
    const json = flow([begin, screen('END', [], { data: { photos: list } })]);
    expect(pointedAt(json)).toEqual([['INVALID_ON_CLICK_ACTION_PAYLOAD', '"${form.photos}"']]);
  });

  it('of several pickers, or several of one, lead to a warning in the final response', () => {
    const photo = { ...photos, 'max-uploaded-photos': 1 };
    const documents = { ...examples.DocumentPicker, 'max-uploaded-documents': 1 };
    const payload = { photos: '${form.photos}', documents: '${screen.BEGIN.form.documents}' };
    const sending = (first: Json, second: Json, sent: Json) =>
      flow([
        step('BEGIN', [second, footer(navigateTo('END'))]),
        screen('END', [first, footer({ name: 'complete', payload: sent })]),
      ]);
    const one = { photos: payload.photos };
    for (const [json, warnings] of [
      [sending(photo, documents, one), []],
      [sending(photo, documents, payload), ['INVALID_ON_CLICK_ACTION_PAYLOAD']],
      [sending({ ...photos, 'max-uploaded-photos': 2 }, documents, one), ['INVALID_ON_CLICK_ACTION_PAYLOAD']],
      [sending({ ...photos, 'max-uploaded-photos': undefined }, documents, one), ['INVALID_ON_CLICK_ACTION_PAYLOAD']],
    ] as const) {
      expect([errorsOf(json), warningsOf(json)]).toEqual([[], warnings]);
    }
  });

  it('of another screen are recognised by their name', () => {
    const end = footer({ name: 'complete', payload: { of: { photos: '${screen.BEGIN.form.photos}' } } });
    const json = flow([step('BEGIN', [photos, footer(navigateTo('END'))]), screen('END', [end])]);
    expect(pointedAt(json)).toEqual([['INVALID_ON_CLICK_ACTION_PAYLOAD', '"${screen.BEGIN.form.photos}"']]);
  });
});
