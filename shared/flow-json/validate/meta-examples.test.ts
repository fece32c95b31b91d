// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how Flow JSON writes dynamic values.
// biome-ignore-all lint/suspicious/noThenProperty: the name is Meta's.
import { describe, expect, it } from 'vitest';
import {
  complete,
  errorsOf,
  exchange,
  flow,
  footer,
  type Json,
  navigateTo,
  screen,
  step,
  update,
  warningsOf,
} from '#support/flows/flow-json.ts';
import metaExamples from './meta-examples.json' with { type: 'json' };

/*
 * meta-examples.json has the Flow JSON of Meta's pages "Components", "Media upload components", "Flow JSON" and
 * "Templates", below https://developers.facebook.com/docs/whatsapp/flows/: their members, names and expressions, with
 * texts of our own and at most two options in a list. The pages show them in a frame of the playground;
 * https://github.com/david-lev/pywa has copies of them in tests/data/flows, by version, and
 * https://github.com/LimaLb01/endpoint-flow has copies of the guides by use case and of the page "Flow JSON" in
 * docs_whatsappflow. The static list for navigation names a screen that it lacks and data of another type, which the
 * page of errors excludes; here it does not. The last ones are those of "Components" as of June 28, 2026: the page cuts
 * most of them off after some 40 lines, and what is missing is what its preview shows.
 */
const metaFlows: [string, Json][] = Object.entries(metaExamples);

describe('a Flow JSON that Meta’s pages show', () => {
  it.each(metaFlows)('a Flow JSON that Meta’s pages show has no errors: %s', (_, example) => {
    expect(errorsOf(example)).toEqual([]);
  });
});

/**
 * Meta's pages "Components" and "Media upload components", as of April and June 2026, and "Flow JSON", as of March 2026,
 * show these with the version 7.3.
 */
const renewed = new Set([
  'rich text',
  'photo picker',
  'doc picker',
  'navigation list',
  'navigation list dynamic',
  'calendar picker single mode',
  'calendar picker range mode',
  'radio buttons with pics',
  'date picker dates obj',
  'if',
  'switch',
  'global fields',
  'forward refs',
]);

it.each(metaFlows.filter(([name]) => renewed.has(name)))(
  'a Flow JSON that Meta’s pages showed with an older version has no errors in version 7.3: %s',
  (_, example) => {
    expect(errorsOf({ ...example, version: '7.3' })).toEqual([]);
  },
);

const input = (name: string, type = 'TextInput'): Json => ({ type, name, label: 'Label' });
const photos = (changes: Json = {}): Json => ({ type: 'PhotoPicker', name: 'photo', label: 'Label', ...changes });
const documents = (changes: Json = {}): Json => ({ type: 'DocumentPicker', name: 'doc', label: 'Label', ...changes });
const form = (...children: Json[]): Json => ({ type: 'Form', name: 'form', children });
const text: Json = { type: 'TextBody', text: 'Text' };
const completeWith = (payload: Json): Json => footer({ name: 'complete', payload });
const one = (children: Json[], changes: Json = {}, version = '4.0') =>
  flow([screen('FIRST', children, changes)], { version });
const two = (payload: Json, data: Json | undefined, children: Json[] = [], version = '4.0') =>
  flow([step('FIRST', [...children, footer(navigateTo('SECOND', payload))]), screen('SECOND', [], data && { data })], {
    version,
  });
const routed = (routing_model: Json, screens: Json[]) =>
  flow(screens, { version: '4.0', data_api_version: '3.0', routing_model });
const conditional = (condition: string, changes: Json = {}) =>
  one([{ type: 'If', condition, then: [text], ...changes }], {
    data: { val: { type: 'boolean', __example__: true }, words: { type: 'string', __example__: 'a' } },
  });
const branched = (cases: Json, ...children: Json[]) =>
  flow(
    [
      {
        ...screen('FIRST', [], { data: { val: { type: 'string', __example__: 'a' } } }),
        layout: {
          type: 'SingleColumnLayout',
          children: [{ type: 'Switch', value: '${data.val}', cases }, ...children],
        },
      },
    ],
    { version: '4.0' },
  );
const ifElse = (branches: Json) =>
  flow(
    [
      {
        ...screen('FIRST', [], { data: { val: { type: 'boolean', __example__: true } } }),
        layout: { type: 'SingleColumnLayout', children: [{ type: 'If', condition: '${data.val}', ...branches }] },
      },
    ],
    { version: '4.0' },
  );

/** The samples on https://developers.facebook.com/docs/whatsapp/flows/reference/error-codes, "Static Validation Errors". */
const faulty: readonly [code: string, what: string, flow: unknown][] = [
  ['INVALID_PROPERTY_KEY', 'a member of one’s own', { ...one([]), myNewProp: 'hello' }],
  ['INVALID_PROPERTY_VALUE', 'an unknown component', one([{ type: 'newComponent' }])],
  ['INVALID_PROPERTY_TYPE', 'a text in place of a boolean', one([{ ...input('a', 'TextArea'), enabled: 'yes' }])],
  ['INVALID_PROPERTY_VALUE_FORMAT', 'no URI', { ...one([], {}, '2.1'), data_channel_uri: 'placeholder_uri' }],
  [
    'INVALID_PROPERTY_KEY',
    'an address of the endpoint in version 3.0',
    { ...one([], {}, '3.0'), data_channel_uri: 'https://example.com' },
  ],
  ['MIN_CHARS_REQUIRED', 'an empty screen id', flow([screen('')])],
  ['MIN_ITEMS_REQUIRED', 'no screens', flow([])],
  ['MISSING_REQUIRED_TYPE_PROPERTY', 'a component without a type', one([{ text: 'Description' }])],
  ['PATTERN_MISMATCH', 'digits in a screen id', flow([screen('FIRST_1')])],
  ['PATTERN_MISMATCH', 'a limit in words', one([{ ...input('a'), 'max-chars': 'Hundred' }])],
  [
    'INVALID_ENUM_VALUE',
    'complete on a link',
    one([{ type: 'EmbeddedLink', text: 'link', 'on-click-action': complete }]),
  ],
  ['INVALID_DEPENDENCIES', 'a left caption alone', one([{ ...footer(), 'left-caption': 'left' }])],
  [
    'NOT_KEYWORD_SCHEMA_VALIDATION_FAILED',
    'a left and a centre caption',
    one([{ ...footer(), 'left-caption': 'left', 'center-caption': 'center' }]),
  ],
  [
    'NOT_KEYWORD_SCHEMA_VALIDATION_FAILED',
    'success on a screen that is not terminal',
    flow([step('FIRST', [footer(navigateTo('SECOND'))], { success: true }), screen('SECOND')], { version: '4.0' }),
  ],
  ['INVALID_PROPERTY_VALUE', 'no successful terminal screen', one([], { success: false })],
  ['INVALID_FLOW_JSON', 'a comma too many', '{ "routing_model": {}, "screens": [],, }'],
  ['INVALID_FLOW_JSON_VERSION', 'a version that never was', one([], {}, '2024.0')],
  ['MISSING_FLOW_JSON_VERSION', 'no version', { screens: [screen('FIRST')] }],
  [
    'INVALID_ROUTING_MODEL',
    'a screen that is missing in it',
    routed({ ABC: [] }, [screen('FIRST', [footer(exchange)])]),
  ],
  [
    'INVALID_ROUTING_MODEL',
    'a screen that nothing leads to',
    flow([screen('FIRST'), screen('SECOND')], { version: '4.0' }),
  ],
  [
    'INVALID_ROUTING_MODEL',
    'a loop, without an endpoint',
    flow([step('FIRST', [footer(navigateTo('SECOND'))]), step('SECOND', [footer(navigateTo('FIRST'))])], {
      version: '4.0',
    }),
  ],
  [
    'INVALID_ROUTING_MODEL',
    'a loop, with an endpoint',
    routed({ FIRST: ['SECOND'], SECOND: ['FIRST'] }, [
      step('FIRST', [footer(exchange)]),
      screen('SECOND', [footer(exchange)]),
    ]),
  ],
  [
    'INVALID_ROUTING_MODEL',
    'a missing route',
    routed({ FIRST: [], SECOND: [] }, [step('FIRST', [footer(navigateTo('SECOND'))]), screen('SECOND')]),
  ],
  ['INVALID_ON_CLICK_ACTION_PAYLOAD', 'no such input', one([form(completeWith({ input: '${form.not_present}' }))])],
  ['INVALID_ON_CLICK_ACTION_PAYLOAD', 'no such data', one([form(completeWith({ input: '${data.not_present}' }))])],
  [
    'INVALID_ON_CLICK_ACTION_PAYLOAD',
    'a photo for the next screen',
    two({ photo: '${form.photo}' }, { photo: { type: 'array', items: { type: 'string' }, __example__: [] } }, [
      photos(),
    ]),
  ],
  [
    'INVALID_ON_CLICK_ACTION_PAYLOAD',
    'a document inside an object',
    one([
      documents({ 'max-uploaded-documents': 1 }),
      completeWith({ doc: { first: { second: ['in_array', '${screen.FIRST.form.doc}'] } } }),
    ]),
  ],
  [
    'INVALID_ON_CLICK_ACTION_PAYLOAD',
    'the value of a form',
    one([form(input('a'), completeWith({ text: '${form.form}' }))]),
  ],
  ['INVALID_COMPLETE_ACTION', 'complete on a screen that is not terminal', flow([step('FIRST', []), screen('SECOND')])],
  ['INVALID_NAVIGATE_ACTION_PAYLOAD', 'no data model', two({ name: 'some name' }, undefined)],
  ['INVALID_NAVIGATE_ACTION_PAYLOAD', 'a member that the data model lacks', two({ name: 'some name' }, {})],
  [
    'INVALID_NAVIGATE_ACTION_PAYLOAD',
    'a member that the payload lacks',
    two({}, { name: { type: 'string', __example__: 'a' } }),
  ],
  [
    'INVALID_NAVIGATE_ACTION_PAYLOAD',
    'an input for a boolean',
    two({ text: '${form.input}' }, { text: { type: 'boolean', __example__: true } }, [input('input')]),
  ],
  ['INVALID_NAVIGATE_ACTION_NEXT_SCREEN_NAME', 'the same screen', flow([step('FIRST', [footer(navigateTo('FIRST'))])])],
  [
    'INVALID_NAVIGATE_ACTION_NEXT_SCREEN_NAME',
    'an unknown screen',
    flow([step('FIRST', [footer(navigateTo('not_present'))]), screen('SECOND')]),
  ],
  ['INVALID_SCREEN_DYNAMIC_DATA', 'no such data', one([{ type: 'TextHeading', text: '${data.screen_title}' }])],
  [
    'INVALID_SCREEN_DYNAMIC_DATA',
    'a boolean deep inside',
    one([{ type: 'TextHeading', text: '${data.top.second.target}' }], {
      data: {
        top: {
          type: 'object',
          properties: { second: { type: 'object', properties: { target: { type: 'boolean' } } } },
          __example__: { second: { target: true } },
        },
      },
    }),
  ],
  [
    'INVALID_SCREEN_DYNAMIC_DATA',
    'options without titles',
    one([{ ...input('a', 'CheckboxGroup'), 'data-source': '${data.products}' }], {
      data: {
        products: {
          type: 'array',
          items: { type: 'object', properties: { id: { type: 'string' } } },
          __example__: [],
        },
      },
    }),
  ],
  [
    'INVALID_SCREEN_DYNAMIC_DATA',
    'the items of a list',
    flow(
      [
        step('ROOT', [footer(navigateTo('MAIN'))], {
          data: {
            products: {
              type: 'array',
              items: { type: 'object', properties: { title: { type: 'string' } } },
              __example__: [],
            },
          },
        }),
        screen('MAIN', [{ type: 'TextSubheading', text: '${screen.ROOT.data.products.items.properties.title}' }]),
      ],
      { version: '4.0' },
    ),
  ],
  [
    'INVALID_SCREEN_DYNAMIC_DATA',
    'a boolean as an error',
    routed({ FIRST: [] }, [
      screen('FIRST', [photos({ 'error-message': '${data.error}' }), footer(exchange)], {
        data: { error: { type: 'boolean', __example__: true } },
      }),
    ]),
  ],
  [
    'INVALID_SCREEN_DATA',
    'an example inside',
    one([], {
      data: {
        a: {
          type: 'object',
          properties: { number: { type: 'number' }, __example__: { number: 8 } },
          __example__: { number: 8 },
        },
      },
    }),
  ],
  ['INVALID_SCREEN_DATA', 'no type', one([], { data: { name: {} } })],
  ['INVALID_SCREEN_DATA', 'a number as a type', one([], { data: { name: { type: 123 } } })],
  ['INVALID_SCREEN_DATA', 'a list without items', one([], { data: { name: { type: 'array', __example__: [] } } })],
  [
    'INVALID_SCREEN_DATA',
    'items that are a text',
    one([], { data: { name: { type: 'array', items: 'string', __example__: [] } } }),
  ],
  [
    'INVALID_SCREEN_DATA',
    'an example of another type',
    one([], { data: { name: { type: 'number', __example__: '123' } } }),
  ],
  [
    'MIN_VALUE_GREATER_THAN_MAX',
    'more at least than at most',
    one([
      {
        ...input('cbg', 'CheckboxGroup'),
        'min-selected-items': 3,
        'max-selected-items': 2,
        'data-source': ['1', '2', '3'].map((id) => ({ id, title: `Title ${id}` })),
      },
    ]),
  ],
  ['MINIMUM_VALUE_REQUIRED', 'fewer photos than none', one([photos({ 'min-uploaded-photos': -1 })])],
  ['MAXIMUM_VALUE_REQUIRED', 'more than thirty photos', one([photos({ 'max-uploaded-photos': 40 })])],
  ['MISSING_REQUIRED_PROPERTY', 'data_exchange without an endpoint', one([footer(exchange)])],
  [
    'MISSING_REQUIRED_PROPERTY',
    'an endpoint without routes',
    flow([screen('FIRST', [footer(exchange)])], { version: '4.0', data_api_version: '3.0' }),
  ],
  ['INVALID_PROPERTY_VALUE', 'refresh_on_back without an endpoint', one([], { refresh_on_back: true })],
  ['DUPLICATE_FORM_COMPONENT_NAMES', 'two inputs of one name', one([form(input('a'), input('a'), footer())])],
  [
    'DUPLICATE_FORM_COMPONENT_NAMES',
    'inputs of one name in If and Switch',
    one(
      [
        { type: 'If', condition: '${data.val}', then: [input('a', 'OptIn')], else: [input('b')] },
        {
          type: 'Switch',
          value: '${data.words}',
          cases: { one: [input('a', 'DatePicker')], two: [input('b', 'TextArea')] },
        },
      ],
      { data: { val: { type: 'boolean', __example__: true }, words: { type: 'string', __example__: 'a' } } },
    ),
  ],
  ['DUPLICATE_SCREEN_IDS', 'two screens of one id', flow([screen('FIRST'), screen('FIRST')])],
  ['SCREEN_ID_IS_RESERVED_KEYWORD', 'a screen called success', flow([screen('success')])],
  ['MISSING_FOOTER_ON_TERMINAL_SCREEN', 'no footer', branched({ a: [text] })],
  ['MISSING_TERMINAL_SCREEN', 'no terminal screen', flow([step('FIRST', [text])])],
  ['COMPONENTS_OUTSIDE_FORM', 'an input beside a form', one([input('path_2'), form(input('path'))])],
  ['MISSING_FOOTER_IN_IF_ELSE_BRANCHES', 'no else', ifElse({ then: [footer()] })],
  ['MISSING_FOOTER_IN_IF_ELSE_BRANCHES', 'a footer in one branch', ifElse({ then: [input('a')], else: [footer()] })],
  ['MISSING_FOOTER_IN_SWITCH_BRANCHES', 'a footer in one case', branched({ a: [], b: [footer()], c: [input('a')] })],
  ['MORE_THAN_ONE_FOOTER', 'a footer beside those of the cases', branched({ a: [footer()], b: [footer()] }, footer())],
  ['INVALID_PROPERTY_VALUE', 'an empty branch', conditional('${data.val}', { then: [] })],
  ...[' ', '( )', '573 == 376', '))${data.val}((', '${data.val} ) -a', '((${data.words}))', 'true'].map(
    (condition): [string, string, unknown] => [
      'INVALID_PROPERTY_VALUE',
      `the condition ${condition}`,
      conditional(condition),
    ],
  ),
  [
    'NATIVE_COMPONENT_IN_FORM_INIT_VALUES',
    'initial photos',
    one([{ ...form(photos(), documents(), footer()), 'init-values': { photo: 'abc', doc: 'efg' } }]),
  ],
  [
    'INVALID_ACTION_PAYLOAD_PROPERTY',
    'data for update_data that does not exist',
    one(
      [{ ...input('a', 'OptIn'), 'on-unselect-action': update({ property: '${data.not_there}' }) }],
      { data: {} },
      '6.0',
    ),
  ],
];

it.each(faulty)('Meta’s page of errors has %s: %s', (code, _, example) => {
  expect(errorsOf(example)).toContain(code);
});

it.each([
  [
    'another code for an input outside a form, since Form became optional',
    'COMPONENTS_OUTSIDE_FORM',
    one([input('path'), form(input('path_2'))], {}, '2.1'),
  ],
  [
    'the code of Meta’s own validator for a number in place of a text',
    'INVALID_NAVIGATE_ACTION_STATIC_DATA',
    two({ name: 123 }, { name: { type: 'string', __example__: 'a' } }),
  ],
  ['the newer code for two footers', 'MORE_THAN_ONE_FOOTER', one([footer(), footer()])],
  [
    'that a photo and a document share no screen',
    'INVALID_COMPONENT_PLACEMENT',
    one([photos(), documents(), completeWith({ photo: '${form.photo}', doc: '${form.doc}' })]),
  ],
])('a sample on Meta’s page of errors gets %s', (_, code, example) => {
  expect(errorsOf(example)).toEqual([code]);
});

/** Other pages of Meta allow ten files, so it is only a warning. */
it.each([
  ['photos', one([photos(), completeWith({ photo: '${form.photo}' })])],
  ['documents', one([documents({ 'max-uploaded-documents': 3 }), completeWith({ doc: '${form.doc}' })])],
])('a sample on Meta’s page of errors that completes with many %s gets a warning', (_, example) => {
  expect([errorsOf(example), warningsOf(example)]).toEqual([
    [],
    expect.arrayContaining(['INVALID_ON_CLICK_ACTION_PAYLOAD']),
  ]);
});
