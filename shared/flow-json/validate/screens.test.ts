// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how Flow JSON writes dynamic values.
import { describe, expect, it } from 'vitest';
import {
  errorsOf,
  examples,
  flow,
  flowWith,
  footer,
  ifElse,
  navigateTo,
  pointedAt,
  screen,
  step,
} from '#support/flows/flow-json.ts';

describe('screen ids', () => {
  it.each(['WELCOME', 'sign_up', '_a'])('%s is a valid screen id', (id) => {
    expect(errorsOf(flow([screen(id)]))).toEqual([]);
  });

  it.each(['A1', 'A-B', 'A B', '__', 'É', '${data.x}'])('%s is an invalid screen id', (id) => {
    expect(pointedAt(flow([screen(id)]))).toEqual([['PATTERN_MISMATCH', JSON.stringify(id)]]);
  });

  it('had fewer restrictions before 7.0', () => {
    expect(errorsOf(flow([screen('__')], { version: '6.3' }))).toEqual([]);
  });

  it.each(['SUCCESS', 'success', 'Success'])('%s is left to the upstream', (id) => {
    expect(pointedAt(flow([screen(id)]))).toEqual([['SCREEN_ID_IS_RESERVED_KEYWORD', JSON.stringify(id)]]);
  });

  it('must be unique in a Flow', () => {
    expect(pointedAt(flow([screen('A'), screen('A')]))).toEqual([['DUPLICATE_SCREEN_IDS', '"A"']]);
  });
});

describe('terminal screens', () => {
  it('are required in every Flow', () => {
    expect(errorsOf(flow([step('A', [])]))).toContain('MISSING_TERMINAL_SCREEN');
  });

  it('require a Footer, of their own or in a Form, an If or a Switch', () => {
    const branch = [footer()];
    const around = [
      { type: 'Form', name: 'form', children: branch },
      ifElse(branch, branch),
      { ...examples.Switch, cases: { a: branch, b: branch } },
    ];
    const withLayout = (children: unknown[]) => flowWith([], { layout: { type: 'SingleColumnLayout', children } });
    for (const component of around) expect(errorsOf(withLayout([component]))).toEqual([]);
    expect(errorsOf(withLayout([examples.TextBody]))).toEqual(['MISSING_FOOTER_ON_TERMINAL_SCREEN']);
  });

  it('may be unsuccessful, but not all of them', () => {
    const first = step('A', [
      footer(navigateTo('B')),
      { ...examples.EmbeddedLink, 'on-click-action': navigateTo('C') },
    ]);
    const other = screen('C', [], { success: false });
    expect(errorsOf(flow([first, screen('B'), other]))).toEqual([]);
    expect(errorsOf(flow([other]))).toEqual(['INVALID_PROPERTY_VALUE']);
  });

  it('are the only screens that may have success', () => {
    const json = flow([step('A', [footer(navigateTo('B'))], { success: true }), screen('B')]);
    expect(pointedAt(json)).toEqual([['NOT_KEYWORD_SCHEMA_VALIDATION_FAILED', 'true']]);
  });
});

it('only a Flow with an endpoint may refresh on back', () => {
  expect(errorsOf(flow([screen('A', [], { refresh_on_back: true })]))).toEqual(['INVALID_PROPERTY_VALUE']);
  expect(errorsOf(flow([screen('A', [], { refresh_on_back: false })]))).toEqual([]);
  expect(errorsOf(flowWith([], { refresh_on_back: true }))).toEqual([]);
});

it('sensitive fields must be inputs of the screen', () => {
  const json = flow([screen('A', [{ type: 'TextInput', name: 'pin', label: 'PIN' }], { sensitive: ['pin', 'other'] })]);
  expect(pointedAt(json)).toEqual([['INVALID_SENSITIVE_FIELD', '"other"']]);
});
