// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how Flow JSON writes dynamic values.
import { describe, expect, it } from 'vitest';
import {
  errorsOf,
  exampleData,
  examples,
  exchange,
  flow,
  flowWith,
  footer,
  ifElse,
  type Json,
  navigateTo,
  pointedAt,
  screen,
  step,
  update,
  warningsOf,
} from '#support/flows/flow-json.ts';

describe('the actions of a Flow', () => {
  it('complete is allowed on a terminal screen only', () => {
    const json = flow([
      step('A', [footer(), { ...examples.EmbeddedLink, 'on-click-action': navigateTo('B') }]),
      screen('B'),
    ]);
    expect(pointedAt(json)).toEqual([['INVALID_COMPLETE_ACTION', '"complete"']]);
  });

  it('a Footer on a terminal screen may not navigate', () => {
    const json = flow([screen('A', [footer(navigateTo('B'))]), screen('B')]);
    expect(pointedAt(json)).toEqual([['INVALID_PROPERTY_VALUE', '"navigate"']]);
  });

  it('a selection that calls the endpoint needs a payload', () => {
    const group = { ...examples.RadioButtonsGroup, 'on-select-action': { name: 'data_exchange' } };
    expect(errorsOf(flowWith([group]))).toEqual(['MISSING_REQUIRED_PROPERTY']);
  });

  describe('update_data', () => {
    const withUpdate = (payload: Record<string, unknown>) =>
      flowWith([{ ...examples.RadioButtonsGroup, 'on-select-action': update(payload) }]);

    it.each([
      { note: 'x', amount: 5, shown: false, options: [], person: {} },
      { note: '${form.colour}', shown: '`${data.amount} > 1`' },
    ])('with %j may change declared data', (payload) => {
      expect(pointedAt(withUpdate(payload))).toEqual([]);
    });

    it.each([
      { other: 1 },
      { note: 1 },
      { amount: '5' },
      { shown: null },
      { amount: '${form.colour}' },
      { note: '`${data.amount} + 1`' },
    ])('with %j is rejected because of its payload', (payload) => {
      expect(errorsOf(withUpdate(payload))).toEqual(['INVALID_UPDATE_DATA_ACTION_PAYLOAD']);
    });

    it('is checked for options too', () => {
      const group = {
        type: 'Dropdown',
        name: 'place',
        label: 'Place',
        'data-source': [{ id: 'a', title: 'A', 'on-select-action': update({ other: 1 }) }],
      };
      expect(errorsOf(flowWith([group]))).toEqual(['INVALID_UPDATE_DATA_ACTION_PAYLOAD']);
    });
  });
});

describe('navigate', () => {
  const inputs = [
    { type: 'TextInput', name: 'surname', label: 'Surname' },
    { type: 'TextInput', name: 'age', label: 'Age', 'input-type': 'number' },
    { type: 'OptIn', name: 'terms', label: 'Terms' },
  ];

  /** From a screen with inputs and data to one that declares these fields. */
  const leading = (action: Json, declared: Json) =>
    flow([step('A', [...inputs, footer(action)], { data: exampleData }), screen('B', [], { data: declared })]);
  const string = { type: 'string', __example__: 'x' };
  const number = { type: 'number', __example__: 1 };
  const boolean = { type: 'boolean', __example__: true };
  const list = { type: 'array', items: { type: 'string' }, __example__: [] };

  describe('the next screen', () => {
    it('must exist in the Flow', () => {
      const found = pointedAt(flow([step('A', [footer(navigateTo('C'))]), screen('B')]));
      expect(found).toContainEqual(['INVALID_NAVIGATE_ACTION_NEXT_SCREEN_NAME', '"C"']);
    });

    it('the next screen must be another screen', () => {
      const found = pointedAt(flow([step('A', [footer(navigateTo('A'))]), screen('B')]));
      expect(found).toContainEqual(['INVALID_NAVIGATE_ACTION_NEXT_SCREEN_NAME', '"A"']);
    });
  });

  describe('the payload', () => {
    it.each([
      [{ name: '${form.surname}' }, { name: string }],
      [
        { name: 'Ada', many: 5, yes: true, all: ['x'] },
        { name: string, many: number, yes: boolean, all: list },
      ],
      [{ age: '${form.age}' }, { age: number }],
      [{ age: '${form.age}' }, { age: string }],
      [
        { yes: '${form.terms}', all: '${data.options}' },
        { yes: boolean, all: list },
      ],
      [
        { name: "`${form.surname} ' ' ${data.note}`", sum: '`${data.amount} + 1`' },
        { name: string, sum: number },
      ],
      [{}, {}],
    ])('%j fits the data of the next screen', (payload, declared) => {
      expect(pointedAt(leading(navigateTo('B', payload), declared))).toEqual([]);
    });

    it.each([
      [{ name: 'x', other: 1 }, { name: string }, 'INVALID_NAVIGATE_ACTION_PAYLOAD'],
      [{}, { name: string }, 'INVALID_NAVIGATE_ACTION_PAYLOAD'],
      [{ name: 5 }, { name: string }, 'INVALID_NAVIGATE_ACTION_STATIC_DATA'],
      [{ yes: 'true' }, { yes: boolean }, 'INVALID_NAVIGATE_ACTION_STATIC_DATA'],
      [{ name: null }, { name: string }, 'INVALID_NAVIGATE_ACTION_STATIC_DATA'],
      [{ yes: '${form.surname}' }, { yes: boolean }, 'INVALID_NAVIGATE_ACTION_PAYLOAD'],
      [{ name: '${data.amount}' }, { name: string }, 'INVALID_NAVIGATE_ACTION_PAYLOAD'],
      [{ name: '`${data.amount} + 1`' }, { name: string }, 'INVALID_NAVIGATE_ACTION_PAYLOAD'],
      [{ name: '${form.other}' }, { name: string }, 'INVALID_ON_CLICK_ACTION_PAYLOAD'],
      [{ name: '${data.other}' }, { name: string }, 'INVALID_ON_CLICK_ACTION_PAYLOAD'],
    ])('%j does not fit %j: %s', (payload, declared, code) => {
      expect(errorsOf(leading(navigateTo('B', payload), declared))).toEqual([code]);
    });

    it('is required if the next screen declares data', () => {
      const { payload: _, ...bare } = navigateTo('B');
      expect(errorsOf(leading(bare, { name: string }))).toEqual(['MISSING_NAVIGATION_ACTION_PAYLOAD']);
      expect(errorsOf(leading(bare, {}))).toEqual([]);
    });

    it('had no checked expressions before 7.2', () => {
      const json = leading(navigateTo('B', { name: '`${form.other}`' }), { name: string });
      expect(errorsOf({ ...json, version: '7.1' })).toEqual([]);
      expect(errorsOf({ ...json, version: '7.2' })).toEqual(['INVALID_ON_CLICK_ACTION_PAYLOAD']);
    });
  });
});

describe('routing', () => {
  /** Screens named by letters; those that lead somewhere do so by their Footer or by links. */
  const linked = (routes: Record<string, string[]>, changes: Json = {}) =>
    flow(
      Object.entries(routes).map(([id, targets]) => {
        const [first, ...rest] = targets.map((to) => navigateTo(to));
        if (first === undefined) return screen(id);
        const links = rest.map((action) => ({
          type: 'OptIn',
          name: `n_${rest.indexOf(action)}`,
          label: 'x',
          'on-click-action': action,
        }));
        return step(id, [...links, footer(first)]);
      }),
      changes,
    );

  /** The same with an endpoint that leads on, and a routing model. */
  const routed = (routing_model: Json, terminals = ['Z'], ids = ['A', 'B', 'Z']) =>
    flow(
      ids.map((id) => (terminals.includes(id) ? screen(id) : step(id, [footer(exchange)]))),
      { data_api_version: '3.0', routing_model },
    );

  const exampleText = { type: 'TextBody', text: 'Be kind.' };

  describe('the routing model that follows from navigation', () => {
    it.each([{ A: [] }, { A: ['B'], B: [] }, { A: ['B', 'C'], B: ['D'], C: ['D'], D: [] }])(
      '%j is valid without a routing model',
      (routes) => {
        expect(pointedAt(linked(routes))).toEqual([]);
      },
    );

    it.each([
      [{ A: ['B'], B: ['A', 'Z'], Z: [] }, '"A"'],
      [{ A: ['B'], B: ['C'], C: ['A', 'Z'], Z: [] }, '"A"'],
      [{ A: [], B: [] }, '"B"'],
      [{ A: ['B'], B: [], C: ['D'], D: [] }, '"C"'],
    ])('%j is invalid without a routing model', (routes, text) => {
      expect(pointedAt(linked(routes))).toEqual([['INVALID_ROUTING_MODEL', text]]);
    });

    it('with two first screens leads to a warning', () => {
      const json = linked({ A: ['C'], B: ['C'], C: [] });
      expect([errorsOf(json), warningsOf(json)]).toEqual([[], ['INVALID_ROUTING_MODEL']]);
    });

    it('with a screen that users leave only by going back leads to a warning', () => {
      const terms = { id: 'TERMS', title: 'Terms', layout: { type: 'SingleColumnLayout', children: [exampleText] } };
      const link = { ...examples.EmbeddedLink, 'on-click-action': navigateTo('TERMS') };
      const json = flow([step('ORDER', [link, footer(navigateTo('DONE'))]), terms, screen('DONE')]);
      expect([errorsOf(json), warningsOf(json)]).toEqual([[], ['INVALID_ROUTING_MODEL']]);
    });
  });

  describe('a routing model', () => {
    it.each([
      { A: ['B'], B: ['Z'], Z: [] },
      { A: ['B', 'Z'], B: ['Z'] },
    ])('%j is a valid routing model', (model) => {
      expect(pointedAt(routed(model))).toEqual([]);
    });

    it('with a screen that leads nowhere leads to a warning', () => {
      const json = routed({ A: ['B', 'Z'] });
      expect([errorsOf(json), warningsOf(json)]).toEqual([[], ['INVALID_ROUTING_MODEL']]);
    });

    it('may be empty for a single screen', () => {
      expect(errorsOf(routed({}, ['A'], ['A']))).toEqual([]);
    });

    it.each([
      [{ A: ['B'], B: ['A', 'Z'] }, '"A"'],
      [{ A: ['A', 'B'], B: ['Z'] }, '"A"'],
      [{ A: ['B'], B: ['Z', 'C'] }, '"C"'],
      [{ A: ['B'], B: ['Z'], C: [] }, '"C"'],
      [{ A: ['B'], B: ['Z', 5] }, '5'],
      [{ A: ['B'], B: 'Z' }, '"Z"'],
      [{ A: ['Z'] }, '"B"'],
    ])('%j is an invalid routing model', (model, text) => {
      expect(pointedAt(routed(model))).toContainEqual(['INVALID_ROUTING_MODEL', text]);
    });

    it('may have at most ten branches per screen', () => {
      const ids = [...'BCDEFGHIJKL'];
      const withBranches = (count: number) => {
        const targets = ids.slice(0, count);
        return errorsOf(routed({ A: targets }, targets, ['A', ...targets]));
      };
      expect(withBranches(10)).toEqual([]);
      expect(withBranches(11)).toEqual(['INVALID_ROUTING_MODEL']);
    });

    it('must contain every route that is navigated', () => {
      const json = linked(
        { A: ['B', 'Z'], B: ['Z'], Z: [] },
        { data_api_version: '3.0', routing_model: { A: ['B'], B: ['Z'] } },
      );
      expect(pointedAt(json)).toEqual([['INVALID_ROUTING_MODEL', '"Z"']]);
    });
  });
});

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
