// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how Flow JSON writes dynamic values.
import { describe, expect, it } from 'vitest';
import { EXAMPLES, flow, footer, navigateTo, pointedAt, screen, step } from '../testing.ts';

const photos = { ...EXAMPLES.PhotoPicker, name: 'photos' };
const list = { type: 'array', items: { type: 'string' }, __example__: [] };

describe('uploaded files', () => {
  it.each(['complete', 'data_exchange'])('go to the business with %s', (name) => {
    const end = footer({ name, payload: { photos: '${form.photos}', note: { about: ['photos'] } } });
    const endpoint = { data_api_version: '3.0', routing_model: { END: [] } };
    expect(pointedAt(flow([screen('END', [photos, end])], endpoint))).toEqual([]);
  });

  it.each([{ files: { photos: '${form.photos}' } }, { files: ['${form.photos}'] }])(
    'stand at the top of the payload, not as in %j',
    (payload) => {
      const json = flow([screen('END', [photos, footer({ name: 'complete', payload })])]);
      expect(pointedAt(json)).toEqual([['INVALID_ACTION_PAYLOAD_PROPERTY', '"${form.photos}"']]);
    },
  );

  it('go to no other screen', () => {
    const begin = step('BEGIN', [photos, footer(navigateTo('END', { photos: '${form.photos}' }))]);
    const json = flow([begin, screen('END', [], { data: { photos: list } })]);
    expect(pointedAt(json)).toEqual([['INVALID_NAVIGATE_ACTION_PAYLOAD', '"${form.photos}"']]);
  });

  it('of another screen are known by its name', () => {
    const end = footer({ name: 'complete', payload: { of: { photos: '${screen.BEGIN.form.photos}' } } });
    const json = flow([step('BEGIN', [photos, footer(navigateTo('END'))]), screen('END', [end])]);
    expect(pointedAt(json)).toEqual([['INVALID_ACTION_PAYLOAD_PROPERTY', '"${screen.BEGIN.form.photos}"']]);
  });
});
