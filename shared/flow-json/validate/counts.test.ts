import { describe, expect, it } from 'vitest';
import { componentTable } from '#shared/flow-json/document/components.ts';
import {
  errorsOf,
  examples,
  flow,
  flowWith,
  footer,
  ifElse,
  type Json,
  navigateTo,
  screen,
  step,
} from '#support/flows/flow-json.ts';

const text = { type: 'TextBody', text: 'x' };
const times = (component: Json | undefined, count: number): Json[] =>
  Array.from({ length: count }, (_, index) => ({
    ...component,
    ...(component?.name !== undefined && { name: `name_${index}` }),
  }));

const limited = Object.entries(componentTable).flatMap(([type, { maxPerScreen }]) =>
  maxPerScreen === undefined || ['NavigationList', 'RichText', 'Form'].includes(type)
    ? []
    : [[type, maxPerScreen] as const],
);

describe('components of a screen', () => {
  it('components of a screen are limited to 50', () => {
    expect(errorsOf(flowWith(times(text, 49)))).toEqual([]);
    expect(errorsOf(flowWith(times(text, 50)))).toEqual(['MAX_ALLOWED_COMPONENTS_PER_SCREEN']);
  });

  it('in branches that exclude each other count once', () => {
    const both = ifElse(times(text, 40), times(text, 40));
    expect(errorsOf(flowWith([both]))).toEqual([]);
    expect(errorsOf(flowWith([both, ...times(text, 9)]))).toEqual(['MAX_ALLOWED_COMPONENTS_PER_SCREEN']);
  });

  it.each(limited)('of type %s are limited to %i', (type, max) => {
    expect(errorsOf(flowWith(times(examples[type], max)))).toEqual([]);
    const code = type === 'Footer' ? 'MORE_THAN_ONE_FOOTER' : 'COMPONENT_TYPE_MAX_NUMBER_PER_SCREEN';
    expect(errorsOf(flowWith(times(examples[type], max + 1)))).toContain(code);
  });

  it('may include only one Form since 7.0', () => {
    const forms = ['a', 'b'].map((name) => ({ type: 'Form', name, children: [text] }));
    expect(errorsOf(flowWith(forms))).toEqual(['COMPONENT_TYPE_MAX_NUMBER_PER_SCREEN']);
    expect(errorsOf(flowWith(forms, {}, '6.3'))).toEqual([]);
  });

  it('may include only one Footer, whichever branch it is in', () => {
    const branch = [footer()];
    const around = ifElse(branch, branch);
    expect(errorsOf(flowWith([around, footer()]))).toEqual(['MORE_THAN_ONE_FOOTER']);
  });
});

it('a Flow may have at most three carousels', () => {
  const two = times(examples.ImageCarousel, 2);
  const screens = (last: Json[]) => flow([step('A', [...two, footer(navigateTo('B'))]), screen('B', last)]);
  expect(errorsOf(screens(two.slice(1)))).toEqual([]);
  expect(errorsOf(screens(two))).toEqual(['COMPONENT_TYPE_MAX_NUMBER_PER_SCREEN']);
});
