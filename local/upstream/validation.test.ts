import { describe, expect, it } from 'vitest';
import { ENDPOINT_FLOW_JSON, VALID_FLOW_JSON } from './testing.ts';
import { validateFlowJson } from './validation.ts';

const footer = { type: 'Footer', label: 'Done' };

function screen(id: unknown, children: unknown[] = [footer]) {
  return { id, terminal: true, layout: { type: 'SingleColumnLayout', children } };
}

function flow(changes: Record<string, unknown>): string {
  return JSON.stringify({ version: '7.3', screens: [screen('A')], ...changes });
}

function codes(text: string): string[] {
  return validateFlowJson(text).map(({ error }) => error);
}

describe('validateFlowJson', () => {
  it('finds nothing wrong in good Flows', () => {
    expect(validateFlowJson(VALID_FLOW_JSON)).toEqual([]);
    expect(validateFlowJson(ENDPOINT_FLOW_JSON)).toEqual([]);
  });

  it('points at the uploaded text as Graph does', () => {
    const text = ['{', '  "version": "7.3",', '  "screens": [', '    { "id": "A1", "layout": {} }', '  ]', '}'].join(
      '\n',
    );
    const position = { line_start: 4, line_end: 4, column_start: 13, column_end: 17 };
    expect(validateFlowJson(text)[0]).toEqual({
      error: 'PATTERN_MISMATCH',
      error_type: 'FLOW_JSON_ERROR',
      message: "Property 'id' should only consist of alphabets and underscores.",
      ...position,
      pointers: [{ ...position, path: 'screens[0].id' }],
    });
  });

  it('says where text stops being JSON', () => {
    expect(validateFlowJson('{\n  "version": 7.3.1\n}')).toEqual([
      {
        error: 'INVALID_FLOW_JSON',
        error_type: 'FLOW_JSON_ERROR',
        message: 'Flow JSON is not valid. Unexpected character "."',
        line_start: 2,
        line_end: 2,
        column_start: 17,
        column_end: 17,
      },
    ]);
  });

  it.each([
    ['{}', ['MISSING_FLOW_JSON_VERSION', 'MISSING_REQUIRED_PROPERTY']],
    ['[]', ['INVALID_FLOW_JSON']],
    ['', ['INVALID_FLOW_JSON']],
    [flow({ version: 7.3 }), ['INVALID_FLOW_JSON_VERSION']],
    [flow({ version: 'latest' }), ['INVALID_FLOW_JSON_VERSION']],
    [flow({ version: '99.0' }), ['UNAVAILABLE_FLOW_JSON_VERSION']],
    [flow({ screens: {} }), ['INVALID_PROPERTY_TYPE']],
    [flow({ screens: [] }), ['MIN_ITEMS_REQUIRED']],
    [flow({ screens: [screen('A'), 'B'] }), ['INVALID_PROPERTY_TYPE']],
    [flow({ screens: [screen(undefined)] }), ['MISSING_REQUIRED_PROPERTY']],
    [flow({ screens: [screen(1)] }), ['INVALID_PROPERTY_TYPE']],
    [flow({ screens: [screen('SUCCESS')] }), ['SCREEN_ID_IS_RESERVED_KEYWORD']],
    [flow({ screens: [screen('A'), screen('A')] }), ['DUPLICATE_SCREEN_IDS']],
    [flow({ screens: [{ id: 'A', terminal: true }] }), ['MISSING_REQUIRED_PROPERTY']],
    [flow({ screens: [{ ...screen('A'), terminal: false }] }), ['MISSING_TERMINAL_SCREEN']],
    [flow({ screens: [screen('A', [])] }), ['MISSING_FOOTER_ON_TERMINAL_SCREEN']],
    [flow({ unknown: 1 }), ['INVALID_PROPERTY_KEY']],
    [flow({ data_channel_uri: 'https://example.com' }), ['INVALID_PROPERTY_KEY']],
    [flow({ version: '2.1', data_channel_uri: 'https://example.com' }), []],
  ])('%s: %j', (text, expected) => {
    expect(codes(text)).toEqual(expected);
  });

  it('allows 100 screens and no more', () => {
    const screens = Array.from({ length: 100 }, (_, i) => screen(`S${'A'.repeat(i)}`));
    expect(codes(flow({ screens }))).toEqual([]);
    expect(codes(flow({ screens: [...screens, screen('B')] }))).toEqual(['MAX_SCREENS_NUMBER']);
  });

  it.each([
    ['{"type":"Form","children":[FOOTER]}', true],
    ['{"type":"Form","children":[]}', false],
    ['{"type":"If","then":[FOOTER],"else":[FOOTER]}', true],
    ['{"type":"If","then":[FOOTER]}', false],
    ['{"type":"Switch","cases":{"a":[FOOTER],"b":[FOOTER]}}', true],
    ['{"type":"Switch","cases":{"a":[FOOTER],"b":[]}}', false],
    ['{"type":"Switch","cases":{}}', false],
  ])('a terminal screen with %s: %s', (component, hasFooter) => {
    const child = JSON.parse(component.replaceAll('FOOTER', JSON.stringify(footer)));
    const expected = hasFooter ? [] : ['MISSING_FOOTER_ON_TERMINAL_SCREEN'];
    expect(codes(flow({ screens: [screen('A', [child])] }))).toEqual(expected);
  });

  it('treats names of JavaScript prototypes as any other', () => {
    expect(codes('{"version":"7.3","screens":[],"__proto__":{},"constructor":1}')).toEqual([
      'INVALID_PROPERTY_KEY',
      'INVALID_PROPERTY_KEY',
      'MIN_ITEMS_REQUIRED',
    ]);
  });
});
