import { describe, expect, it } from 'vitest';
import { renderJson, renderText } from './render.ts';

const rows = [
  { id: '1', full_name: 'Ana Lima', active: true, label: '' },
  { id: '22', full_name: 'Bo', active: false, label: null },
];

describe('text', () => {
  it('aligns rows under their names', () => {
    expect(renderText({ value: rows })).toBe(
      ['ID  FULL NAME  ACTIVE  LABEL', '1   Ana Lima   yes     -', '22  Bo         no      -'].join('\n'),
    );
  });

  it('shows the fields of one object, then its lists, then the note', () => {
    expect(renderText({ value: { id: '7', members: rows.slice(1), waba_id: null }, note: 'Done.' })).toBe(
      [
        'id       7',
        'waba id  -',
        '',
        'members',
        'ID  FULL NAME  ACTIVE  LABEL',
        '22  Bo         no      -',
        '',
        'Done.',
      ].join('\n'),
    );
  });

  it('says that a list is empty', () => {
    expect(renderText({ value: [] })).toBe('none');
  });
});

describe('JSON', () => {
  it('contains only the value', () => {
    expect(JSON.parse(renderJson({ value: rows, note: 'Done.' }))).toEqual(rows);
    expect(JSON.parse(renderJson({ value: [] }))).toEqual([]);
  });
});
