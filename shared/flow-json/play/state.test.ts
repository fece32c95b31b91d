// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how Flow JSON writes dynamic values.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { examples, ifElse } from '#support/flows/component-examples.ts';
import { flow, footer, type Json, navigateTo, screen, step } from '#support/flows/flow-json.ts';
import { type Flow, loadFlow } from './model.ts';
import {
  currentComponents,
  currentScreen,
  type Effect,
  type FlowEvent,
  type FlowState,
  inputValue,
  jumpTo,
  reduce,
  start,
} from './state.ts';

const token = 'token of this opening';

const string = (example: string) => ({ type: 'string', __example__: example });
const boolean = (example: boolean) => ({ type: 'boolean', __example__: example });

/** Someone who uses a Flow. */
function walk(json: Json) {
  const model = loadFlow(json, token, {});
  let { state, effects } = start(model);
  const dispatch = (event: FlowEvent) => {
    ({ state, effects } = reduce(model, state, event));
  };
  const find = (matches: (component: ReturnType<typeof currentComponents>[number]) => boolean) => {
    const found = currentComponents(model, state).find(matches);
    if (found === undefined) throw new Error('It is not on the screen.');
    return found;
  };
  return {
    fill: (name: string, value: unknown) =>
      dispatch({ type: 'input', component: find(({ properties }) => properties.name === name), value }),
    press: (type = 'Footer') =>
      dispatch({ type: 'act', action: find((shown) => shown.type === type).properties['on-click-action'] }),
    back: () => dispatch({ type: 'back' }),
    receive: (response: unknown) => dispatch({ type: 'response', response }),
    fail: (message: string) => dispatch({ type: 'failure', message }),
    value: (name: string) => inputValue(state, name),
    texts: () =>
      currentComponents(model, state)
        .filter(({ type }) => type === 'TextBody')
        .map(({ properties }) => properties.text),
    types: () => currentComponents(model, state).map(({ type }) => type),
    get screen() {
      return currentScreen(model, state)?.id;
    },
    get state(): FlowState {
      return state;
    },
    get effects(): readonly Effect[] {
      return effects;
    },
  };
}

const input = (name: string, changes: Json = {}): Json => ({ type: 'TextInput', name, label: name, ...changes });
const body = (text: string): Json => ({ type: 'TextBody', text });

const signUp = flow([
  step(
    'NAME',
    [
      input('first'),
      input('last', { 'init-value': '${data.family}' }),
      footer(navigateTo('CHECK', { name: "`${form.first} ' ' ${form.last}`" })),
    ],
    {
      data: { family: string('Lovelace') },
    },
  ),
  screen(
    'CHECK',
    [
      body('${data.name}'),
      body('${screen.NAME.form.first}'),
      body('${screen.NAME.data.family}'),
      footer({ name: 'complete', payload: { name: '${data.name}', family: '${screen.NAME.form.last}', fixed: 1 } }),
    ],
    { data: { name: string('Nobody') } },
  ),
]);

describe('a Flow without an endpoint', () => {
  it('opens at its first screen with the examples as data', () => {
    const user = walk(signUp);
    expect([user.screen, user.value('first'), user.value('last')]).toEqual(['NAME', '', 'Lovelace']);
  });

  it('passes the inputs to the next screen, and to the business', () => {
    const user = walk(signUp);
    user.fill('first', 'Ada');
    user.press();
    expect([user.screen, user.texts()]).toEqual(['CHECK', ['Ada Lovelace', 'Ada', 'Lovelace']]);
    user.press();
    expect(user.state).toMatchObject({
      status: 'completed',
      response: { name: 'Ada Lovelace', family: 'Lovelace', fixed: 1, flow_token: token },
    });
  });

  it('keeps the inputs when the user goes back', () => {
    const user = walk(signUp);
    user.fill('first', 'Ada');
    user.press();
    user.back();
    expect([user.screen, user.value('first'), user.effects]).toEqual(['NAME', 'Ada', []]);
    user.back();
    expect(user.screen).toBe('NAME');
  });

  it('stays completed when the user goes back', () => {
    const user = walk(signUp);
    user.press();
    user.press();
    const { state } = user;
    user.back();
    expect(user.state).toBe(state);
  });

  it('does not navigate to a missing screen', () => {
    const user = walk(flow([step('A', [footer(navigateTo('B'))])]));
    user.press();
    expect([user.screen, user.state.missingScreen]).toEqual(['A', 'B']);
  });

  it('can show any screen on its own', () => {
    const model = loadFlow(signUp, token, {});
    expect(currentComponents(model, jumpTo(model, 'CHECK'))[0]?.properties.text).toBe('Nobody');
    expect(jumpTo(model, 'NOWHERE').stack).toEqual([]);
  });
});

describe('the shown screen', () => {
  const shown = flow([
    screen(
      'A',
      [
        { type: 'OptIn', name: 'more', label: 'More' },
        input('place', { visible: '${form.more}' }),
        ifElse([body('yes')], [body('no')]),
        {
          type: 'Switch',
          value: '${form.place}',
          cases: { sea: [body('swim')], hills: [body('walk')], default: [body('rest')] },
        },
      ].map((component) => (component.type === 'If' ? { ...component, condition: '${form.more}' } : component)),
    ),
  ]);

  it('is updated with each input', () => {
    const user = walk(shown);
    expect([user.types(), user.texts()]).toEqual([
      ['OptIn', 'TextBody', 'TextBody', 'Footer'],
      ['no', 'rest'],
    ]);
    user.fill('more', true);
    expect(user.types()).toEqual(['OptIn', 'TextInput', 'TextBody', 'TextBody', 'Footer']);
    user.fill('place', 'sea');
    expect(user.texts()).toEqual(['yes', 'swim']);
    user.fill('place', 'constructor');
    expect(user.texts()).toEqual(['yes', 'rest']);
  });

  it('uses the default of a Switch if its value is not a text', () => {
    const choice = { type: 'Switch', value: '${data.place}', cases: { sea: [body('swim')], default: [body('rest')] } };
    const place = { type: 'object', properties: {}, __example__: { toString: 'sea', toJSON: 'sea' } };
    expect(walk(flow([screen('A', [choice], { data: { place } })])).texts()).toEqual(['rest']);
  });

  it('has the initial values and error messages of its Form', () => {
    const form = {
      type: 'Form',
      name: 'form',
      'init-values': { city: 'Turin', tags: '${data.tags}' },
      'error-messages': { city: 'Unknown' },
      children: [
        input('city'),
        { ...examples.CheckboxGroup, name: 'tags', visible: true },
        { type: 'OptIn', name: 'terms', label: 'x' },
      ],
    };
    const tags = { type: 'array', items: { type: 'string' }, __example__: ['a'] };
    const user = walk(flow([screen('A', [form], { data: { tags } })]));
    expect(['city', 'tags', 'terms'].map(user.value)).toEqual(['Turin', ['a'], false]);
    expect(user.types()).toEqual(['TextInput', 'CheckboxGroup', 'OptIn', 'Footer']);
    const model = loadFlow(flow([screen('A', [form])]), token, {});
    expect(currentComponents(model, jumpTo(model, 'A'))[0]?.properties['error-message']).toBe('Unknown');
  });

  it('contains an expression that cannot be parsed as it is written', () => {
    const user = walk(
      flow([screen('A', [body('`(`'), body('Dear ${data.x}'), ifElse([body('then')], [body('else')])])]),
    );
    expect(user.texts()).toEqual(['`(`', 'Dear ${data.x}', 'else']);
  });
});

describe('a selection', () => {
  const update = (note: string) => ({ name: 'update_data', payload: { note } });
  const group = (changes: Json) =>
    walk(
      flow([
        screen(
          'A',
          [
            {
              type: 'CheckboxGroup',
              name: 'tags',
              label: 'x',
              'data-source': [
                { id: 'a', title: 'A' },
                { id: 'b', title: 'B' },
              ],
              ...changes,
            },
            body('${data.note}'),
          ],
          { data: { note: string('-') } },
        ),
      ]),
    );

  it('changes data when an option is selected and when it is unselected', () => {
    const user = group({ 'on-select-action': update('taken'), 'on-unselect-action': update('let go') });
    user.fill('tags', ['a']);
    expect(user.texts()).toEqual(['taken']);
    user.fill('tags', []);
    expect(user.texts()).toEqual(['let go']);
  });

  it('runs the select action for unselecting if there is no unselect action', () => {
    const user = group({ 'on-select-action': { name: 'update_data', payload: { note: '${form.tags}' } } });
    user.fill('tags', ['a']);
    user.fill('tags', []);
    expect(user.texts()).toEqual([[]]);
  });

  it('runs the actions of the options that it changes', () => {
    const option = (id: string) => ({
      id,
      title: id,
      'on-select-action': update(`${id}!`),
      'on-unselect-action': update(`${id}?`),
    });
    const user = group({ 'data-source': [option('a'), option('b')] });
    user.fill('tags', ['a']);
    expect(user.texts()).toEqual(['a!']);
    user.fill('tags', ['a', 'b']);
    expect(user.texts()).toEqual(['b!']);
    user.fill('tags', ['b']);
    expect(user.texts()).toEqual(['a?']);
  });

  it('of a period runs its action once both dates are selected', () => {
    const picker = {
      type: 'CalendarPicker',
      name: 'stay',
      mode: 'range',
      'on-select-action': { name: 'data_exchange', payload: { stay: '${form.stay}' } },
    };
    const user = walk(flow([step('A', [picker])]));
    user.fill('stay', { 'start-date': '2026-12-01' });
    expect(user.effects).toEqual([]);
    const stay = { 'start-date': '2026-12-01', 'end-date': '2026-12-05' };
    user.fill('stay', stay);
    expect(user.effects).toMatchObject([{ request: { data: { stay } } }]);
  });

  it('that changes nothing runs no action', () => {
    const user = group({ 'on-select-action': update('taken') });
    user.fill('tags', []);
    expect(user.texts()).toEqual(['-']);
  });

  it('keeps typed inputs, and updates the initial values of the others', () => {
    const fields = [
      {
        type: 'Dropdown',
        name: 'place',
        label: 'x',
        'data-source': [{ id: 'a', title: 'A', 'on-select-action': update('new') }],
      },
      input('typed', { 'init-value': '${data.note}' }),
      input('untouched', { 'init-value': '${data.note}' }),
    ];
    const user = walk(flow([screen('A', fields, { data: { note: string('old') } })]));
    user.fill('typed', 'mine');
    user.fill('place', 'a');
    expect(['typed', 'untouched'].map(user.value)).toEqual(['mine', 'new']);
  });
});

describe('a Flow with an endpoint', () => {
  const ask = (payload: Json) => ({ name: 'data_exchange', payload });
  const booking = flow(
    [
      step('DAY', [input('day'), body('${data.hint}'), footer(ask({ day: '${form.day}' }))], {
        data: { hint: string('x') },
      }),
      step('HOUR', [body('${data.hour}'), footer(ask({}))], { data: { hour: string('x') }, refresh_on_back: true }),
      screen('DONE', [], { data: { yes: boolean(true) } }),
    ],
    { data_api_version: '3.0', routing_model: { DAY: ['HOUR'], HOUR: ['DONE'] } },
  );
  const opened = () => {
    const user = walk(booking);
    user.receive({ screen: 'DAY', data: { hint: 'Any day' } });
    return user;
  };

  it('a Flow with an endpoint requests its first screen', () => {
    const user = walk(booking);
    expect(user.effects).toEqual([{ type: 'request', request: { action: 'INIT', data: {} } }]);
    expect([user.state.status, user.screen]).toEqual(['waiting', undefined]);
    user.receive({ screen: 'DAY', data: { hint: 'Any day' } });
    expect([user.state.status, user.screen, user.texts()]).toEqual(['open', 'DAY', ['Any day']]);
  });

  it('sends the inputs and shows the screen of the response', () => {
    const user = opened();
    user.fill('day', 'Monday');
    user.press();
    expect(user.effects).toEqual([
      { type: 'request', request: { action: 'data_exchange', screen: 'DAY', data: { day: 'Monday' } } },
    ]);
    user.receive({ screen: 'HOUR', data: { hour: 'Ten' } });
    expect([user.screen, user.texts()]).toEqual(['HOUR', ['Ten']]);
  });

  it('ignores input while it waits', () => {
    const user = opened();
    user.press();
    const { state } = user;
    user.fill('day', 'Tuesday');
    user.back();
    expect(user.state).toBe(state);
  });

  it('shows the error message of the endpoint until the next step', () => {
    const user = opened();
    user.fill('day', 'Monday');
    user.press();
    user.receive({ screen: 'DAY', data: { error_message: 'Closed', hint: 'Not Monday' } });
    expect([user.screen, user.state.errorMessage, user.texts(), user.value('day')]).toEqual([
      'DAY',
      'Closed',
      ['Not Monday'],
      'Monday',
    ]);
    user.fill('day', 'Tuesday');
    expect(user.state.errorMessage).toBeUndefined();
  });

  it('recovers when the endpoint fails', () => {
    const user = opened();
    user.press();
    user.fail('Timed out');
    expect([user.state.status, user.state.errorMessage, user.screen]).toEqual(['open', 'Timed out', 'DAY']);
  });

  it('asks the endpoint again when the user goes back from a screen with refresh_on_back', () => {
    const user = opened();
    user.press();
    user.receive({ screen: 'HOUR', data: { hour: 'Ten' } });
    user.back();
    expect(user.effects).toEqual([{ type: 'request', request: { action: 'BACK', screen: 'HOUR', data: {} } }]);
    user.receive({ screen: 'DAY', data: { hint: 'Another day' } });
    expect([user.screen, user.state.stack, user.texts()]).toEqual(['DAY', ['DAY'], ['Another day']]);
  });

  it('is completed by the screen SUCCESS', () => {
    const user = opened();
    user.press();
    user.receive({ screen: 'SUCCESS', data: { extension_message_response: { params: { flow_token: 't', id: 5 } } } });
    expect(user.state).toMatchObject({ status: 'completed', response: { flow_token: 't', id: 5 } });
  });

  it.each([undefined, null, 'x', [], {}, { screen: 5 }, { screen: 'NOWHERE' }, { screen: '__proto__', data: null }])(
    'stays on its screen after the unexpected response %j',
    (response) => {
      const user = opened();
      user.press();
      user.receive(response);
      expect([user.state.status, user.screen]).toEqual(['open', 'DAY']);
      expect(user.state.missingScreen).toBeDefined();
    },
  );
});

describe('open_url', () => {
  const link = (url: string) =>
    walk(
      flow([
        screen('A', [{ ...examples.EmbeddedLink, 'on-click-action': { name: 'open_url', url } }], {
          data: { url: string('https://example.com/x') },
        }),
      ]),
    );

  it.each([
    ['https://example.com/terms', 'https://example.com/terms'],
    ['${data.url}', 'https://example.com/x'],
  ])('opens the web page %s', (url, opened) => {
    const user = link(url);
    user.press('EmbeddedLink');
    expect(user.effects).toEqual([{ type: 'open-url', url: opened }]);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', '/local', '${data.nothing}'])(
    'does not open the unsafe URL %s',
    (url) => {
      const user = link(url);
      user.press('EmbeddedLink');
      expect(user.effects).toEqual([]);
    },
  );
});

describe('any Flow with any input', () => {
  const anything = fc.json().map((text): unknown => JSON.parse(text));
  const names = fc.constantFrom('A', 'B', 'first', '__proto__', 'constructor', '');
  const dynamic = fc.constantFrom(
    '${form.first}',
    '${data.__proto__}',
    '${screen.A.form.first}',
    "`${form.first} 'x'`",
    '`(`',
  );
  const value = fc.oneof(anything, dynamic);
  const action = fc.oneof(
    names.map((name) => navigateTo(name)),
    fc.record({
      name: fc.constantFrom('complete', 'data_exchange', 'update_data', 'open_url', 'x'),
      payload: value,
      url: value,
    }),
  );
  const component = fc.oneof(
    fc.constantFrom(...Object.values(examples)),
    fc.record({
      type: fc.constantFrom(...Object.keys(examples), '__proto__'),
      name: names,
      text: value,
      children: fc.array(value),
      condition: value,
      cases: value,
      'init-value': value,
      'init-values': value,
      visible: value,
    }),
    value,
  );
  const anyFlow = fc.record({
    data_api_version: fc.option(fc.constant('3.0'), { nil: undefined }),
    routing_model: value,
    screens: fc.oneof(
      value,
      fc.array(
        fc.record({ id: names, title: value, data: value, layout: fc.record({ children: fc.array(component) }) }),
      ),
    ),
  });
  const event: fc.Arbitrary<FlowEvent> = fc.oneof(
    fc.record({
      type: fc.constant('input' as const),
      component: fc.record({
        type: names,
        key: names,
        properties: fc.record({ name: names, 'on-select-action': action }),
      }),
      value,
    }),
    fc.record({ type: fc.constant('act' as const), action }),
    fc.record({ type: fc.constant('back' as const) }),
    fc.record({
      type: fc.constant('response' as const),
      response: fc.oneof(value, fc.record({ screen: names, data: value })),
    }),
    fc.record({ type: fc.constant('failure' as const), message: fc.string() }),
  );

  it('shows only screens of the Flow, and never throws', () => {
    fc.assert(
      fc.property(anyFlow, fc.array(event, { maxLength: 20 }), (json, events) => {
        const model: Flow = loadFlow(json, token, {});
        let { state } = start(model);
        for (const next of events) {
          const before = structuredClone(state);
          const transition = reduce(model, state, next);
          expect(state).toEqual(before);
          state = transition.state;
          expect(state.stack.every((id) => model.screens.has(id))).toBe(true);
          expect(new Set(state.stack).size).toBe(state.stack.length);
          expect(currentComponents(model, state).every(({ type }) => !['If', 'Switch', 'Form'].includes(type))).toBe(
            true,
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is limited in its cost, however deep and long it is', () => {
    const nested = '{"type":"If","condition":"true","then":['.repeat(3000) + ']}'.repeat(3000);
    const long = Array.from({ length: 50_000 }, () => '{"type":"TextBody","text":"x"}').join(',');
    const model = loadFlow(JSON.parse(`{"screens":[{"id":"A","layout":{"children":[${nested},${long}]}}]}`), token, {});
    expect(currentComponents(model, start(model).state).length).toBeLessThan(3_000);
  });
});
