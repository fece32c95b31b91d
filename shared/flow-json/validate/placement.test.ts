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
} from '#support/flows/flow-json.ts';

const text = { type: 'TextBody', text: 'x' };
const input = (name = 'surname'): Json => ({ type: 'TextInput', name, label: 'Surname' });
const inIf = (component: Json | undefined): Json => ifElse([component], [component]);
const inForm = (...children: Json[]): Json => ({ type: 'Form', name: 'form', children });

describe('in an If', () => {
  it.each(['RichText', 'NavigationList', 'Form'])('a %s is not allowed', (type) => {
    expect(errorsOf(flowWith([inIf(examples[type])]))).toContain('INVALID_COMPONENT_PLACEMENT');
  });

  it.each(['CalendarPicker', 'ImageCarousel', 'PhotoPicker', 'DocumentPicker'])('a %s is not documented', (type) => {
    const json = flowWith([ifElse([examples[type]], [])]);
    expect([errorsOf(json), warningsOf(json)]).toEqual([[], ['UNDOCUMENTED']]);
  });

  it('chips have been allowed since 7.1', () => {
    const chips = { type: 'ChipsSelector', name: 'tags', label: 'Tags', 'data-source': '${data.options}' };
    const json = (version: '7.0' | '7.1') => flowWith([ifElse([chips])], {}, version);
    expect(errorsOf(json('7.0'))).toEqual(['INVALID_COMPONENT_PLACEMENT']);
    expect(errorsOf(json('7.1'))).toEqual([]);
  });

  it('a Footer is allowed at the first level only', () => {
    expect(
      errorsOf(flowWith([], { layout: { type: 'SingleColumnLayout', children: [inIf(inIf(footer()))] } })),
    ).toContain('INVALID_COMPONENT_PLACEMENT');
  });
});

it('an If may not be placed in a Switch', () => {
  const json = flowWith([{ ...examples.Switch, cases: { a: [examples.If] } }]);
  expect(errorsOf(json)).toEqual(['INVALID_COMPONENT_PLACEMENT']);
});

it('a Form may not be placed in a Form', () => {
  expect(errorsOf(flowWith([inForm(inForm(input()))], {}, '6.3'))).toEqual(['INVALID_COMPONENT_PLACEMENT']);
});

describe('inputs', () => {
  it('must be in the Form if there is one', () => {
    expect(errorsOf(flowWith([inForm(input('a')), input('b')]))).toEqual(['COMPONENTS_OUTSIDE_FORM']);
    expect(errorsOf(flowWith([inForm(input('a'), inIf(input('b')))]))).toEqual(['DUPLICATE_FORM_COMPONENT_NAMES']);
  });

  it('required a Form until 4.0', () => {
    expect(errorsOf(flowWith([input()], {}, '3.1'))).toEqual(['COMPONENTS_OUTSIDE_FORM']);
    expect(errorsOf(flowWith([input()], {}, '4.0'))).toEqual([]);
  });

  it('must have unique names on each screen', () => {
    expect(errorsOf(flowWith([input('a'), input('a')]))).toEqual(['DUPLICATE_FORM_COMPONENT_NAMES']);
    const screens = [step('A', [input('a'), footer(navigateTo('B'))]), screen('B', [input('a')])];
    expect(errorsOf(flow(screens))).toEqual([]);
  });
});

describe('a RichText', () => {
  const withoutFooter = { layout: { type: 'SingleColumnLayout', children: [examples.RichText] }, terminal: false };

  it('was the only component until 6.3, and may have a Footer since', () => {
    expect(errorsOf(flowAround(examples.RichText ?? {}, '6.3'))).toEqual([]);
    expect(errorsOf(flowAround(examples.RichText ?? {}, '6.2'))).toEqual(['INVALID_RICHTEXT_PLACEMENT']);
    expect(errorsOf(flowWith([], withoutFooter, '6.2'))).not.toContain('INVALID_RICHTEXT_PLACEMENT');
    expect(errorsOf(flowWith([examples.RichText ?? {}, text]))).toEqual(['INVALID_RICHTEXT_PLACEMENT']);
  });
});

describe('a NavigationList', () => {
  it('is neither allowed on a terminal screen nor next to other components', () => {
    expect(errorsOf(flowWith([examples.NavigationList ?? {}]))).toEqual([
      'INVALID_COMPONENT_PLACEMENT',
      'INVALID_COMPONENT_PLACEMENT',
    ]);
  });
});

it('a screen may have a PhotoPicker or a DocumentPicker, not both', () => {
  const json = flowWith([examples.PhotoPicker ?? {}, examples.DocumentPicker ?? {}]);
  expect(errorsOf(json)).toEqual(['INVALID_COMPONENT_PLACEMENT']);
});
