// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how Flow JSON writes dynamic values.
import { describe, expect, it } from 'vitest';
import { componentTable } from '#shared/flow-json/document/components.ts';
import { examples, flowAround, ifElse } from '#support/flows/component-examples.ts';
import {
  errorsOf,
  flow,
  flowWith,
  footer,
  type Json,
  navigateTo,
  pointedAt,
  screen,
  step,
} from '#support/flows/flow-json.ts';

describe('the screens of a Flow', () => {
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
    const json = flow([
      screen('A', [{ type: 'TextInput', name: 'pin', label: 'PIN' }], { sensitive: ['pin', 'other'] }),
    ]);
    expect(pointedAt(json)).toEqual([['INVALID_SENSITIVE_FIELD', '"other"']]);
  });
});

describe('the number of components', () => {
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

    it('are all read if many branches are full', () => {
      const cases = Object.fromEntries(times(text, 60).map((each, index) => [`case${index}`, times(each, 48)]));
      expect(errorsOf(flowWith([{ ...examples.Switch, cases }]))).toEqual([]);
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
});

describe('the placement of components', () => {
  const text = { type: 'TextBody', text: 'x' };
  const input = (name = 'surname'): Json => ({ type: 'TextInput', name, label: 'Surname' });
  const inIf = (component: Json | undefined): Json => ifElse([component], [component]);
  const inForm = (...children: Json[]): Json => ({ type: 'Form', name: 'form', children });

  describe('in an If', () => {
    it.each(['RichText', 'NavigationList', 'Form'])('a %s is not allowed', (type) => {
      expect(errorsOf(flowWith([inIf(examples[type])]))).toContain('INVALID_COMPONENT_PLACEMENT');
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
});
