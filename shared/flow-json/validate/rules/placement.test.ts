// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how Flow JSON writes dynamic values.
import { describe, expect, it } from 'vitest';
import {
  errorsOf,
  examples,
  flow,
  flowAround,
  flowWith,
  footer,
  ifElse,
  type Json,
  navigateTo,
  screen,
  step,
  warningsOf,
} from '#test/support/flow-json.ts';

const text = { type: 'TextBody', text: 'x' };
const input = (name = 'surname'): Json => ({ type: 'TextInput', name, label: 'Surname' });
const inIf = (component: Json | undefined): Json => ifElse([component], [component]);
const inForm = (...children: Json[]): Json => ({ type: 'Form', name: 'form', children });

describe('in an If', () => {
  it.each(['RichText', 'NavigationList', 'Form'])('there is no %s', (type) => {
    expect(errorsOf(flowWith([inIf(examples[type])]))).toContain('INVALID_COMPONENT_PLACEMENT');
  });

  it.each(['CalendarPicker', 'ImageCarousel', 'PhotoPicker', 'DocumentPicker'])('a %s is not documented', (type) => {
    const json = flowWith([ifElse([examples[type]], [])]);
    expect([errorsOf(json), warningsOf(json)]).toEqual([[], ['UNDOCUMENTED']]);
  });

  it('there are chips since 7.1', () => {
    const chips = { type: 'ChipsSelector', name: 'tags', label: 'Tags', 'data-source': '${data.options}' };
    const json = (version: '7.0' | '7.1') => flowWith([ifElse([chips])], {}, version);
    expect(errorsOf(json('7.0'))).toEqual(['INVALID_COMPONENT_PLACEMENT']);
    expect(errorsOf(json('7.1'))).toEqual([]);
  });

  it('a Footer stands at the first level', () => {
    expect(
      errorsOf(flowWith([], { layout: { type: 'SingleColumnLayout', children: [inIf(inIf(footer()))] } })),
    ).toContain('INVALID_COMPONENT_PLACEMENT');
  });
});

it('there is no If in a Switch', () => {
  const json = flowWith([{ ...examples.Switch, cases: { a: [examples.If] } }]);
  expect(errorsOf(json)).toEqual(['INVALID_COMPONENT_PLACEMENT']);
});

it('there is no Form in a Form', () => {
  expect(errorsOf(flowWith([inForm(inForm(input()))], {}, '6.3'))).toEqual(['INVALID_COMPONENT_PLACEMENT']);
});

describe('inputs', () => {
  it('stand in the Form when there is one', () => {
    expect(errorsOf(flowWith([inForm(input('a')), input('b')]))).toEqual(['COMPONENTS_OUTSIDE_FORM']);
    expect(errorsOf(flowWith([inForm(input('a'), inIf(input('b')))]))).toEqual(['DUPLICATE_FORM_COMPONENT_NAMES']);
  });

  it('need a Form until 4.0', () => {
    expect(errorsOf(flowWith([input()], {}, '3.1'))).toEqual(['COMPONENTS_OUTSIDE_FORM']);
    expect(errorsOf(flowWith([input()], {}, '4.0'))).toEqual([]);
  });

  it('have names of their own, on each screen', () => {
    expect(errorsOf(flowWith([input('a'), input('a')]))).toEqual(['DUPLICATE_FORM_COMPONENT_NAMES']);
    const screens = [step('A', [input('a'), footer(navigateTo('B'))]), screen('B', [input('a')])];
    expect(errorsOf(flow(screens))).toEqual([]);
  });
});

describe('a RichText', () => {
  const withoutFooter = { layout: { type: 'SingleColumnLayout', children: [examples.RichText] }, terminal: false };

  it('is alone until 6.3, and then with a Footer', () => {
    expect(errorsOf(flowAround(examples.RichText ?? {}, '6.3'))).toEqual([]);
    expect(errorsOf(flowAround(examples.RichText ?? {}, '6.2'))).toEqual(['INVALID_RICHTEXT_PLACEMENT']);
    expect(errorsOf(flowWith([], withoutFooter, '6.2'))).not.toContain('INVALID_RICHTEXT_PLACEMENT');
    expect(errorsOf(flowWith([examples.RichText ?? {}, text]))).toEqual(['INVALID_RICHTEXT_PLACEMENT']);
  });
});

describe('a NavigationList', () => {
  it('is on no terminal screen and beside nothing else', () => {
    expect(errorsOf(flowWith([examples.NavigationList ?? {}]))).toEqual([
      'INVALID_COMPONENT_PLACEMENT',
      'INVALID_COMPONENT_PLACEMENT',
    ]);
  });
});

it('a screen takes photos or documents', () => {
  const json = flowWith([examples.PhotoPicker ?? {}, examples.DocumentPicker ?? {}]);
  expect(errorsOf(json)).toEqual(['INVALID_COMPONENT_PLACEMENT']);
});
