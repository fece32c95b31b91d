// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how Flow JSON writes dynamic values.
// biome-ignore-all lint/suspicious/noThenProperty: the name is Meta's.

import { complete, footer, type Json, navigateTo } from './flow-json.ts';

/**
 * The Flow JSON of Meta's pages "Components", "Media upload components", "Flow JSON" and "Templates", below
 * https://developers.facebook.com/docs/whatsapp/flows/: their members, names and expressions, with texts of our own and
 * at most two options in a list. The pages show them in a frame of the playground; https://github.com/david-lev/pywa has
 * copies of them in tests/data/flows, by version, and https://github.com/LimaLb01/endpoint-flow has copies of the guides
 * by use case and of the page "Flow JSON" in docs_whatsappflow. The static list for navigation names a screen that it lacks and data
 * of another type, which the page of errors excludes; here it does not. The last ones here are those of "Components" as of
 * June 28, 2026: the page cuts most of them off after some 40 lines, and what is missing is what its preview shows.
 */

const screenOf = (id: string, children: Json[], changes: Json = {}): Json => ({
  id,
  title: 'Title',
  ...changes,
  layout: { type: 'SingleColumnLayout', children },
});
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Texts with Markdown, as the page "Components" shows them. */
const markdownOf = {
  TextBody: ['This text is ~~***really important***~~'],
  TextCaption: ['This text is ~~***really important***~~'],
  RichText: [
    '# Heading',
    '## Subheading',
    'Paragraph',
    '1. One',
    '- One',
    `![A picture](data:image/png;base64,${picture})`,
    '[A link](https://example.com)',
    '| Column 1 - wide | Column 2 |',
    '| ------------- | ------------- |',
    `| **Bold** | ![A picture](data:image/png;base64,${picture}) |`,
  ],
};

const optionsOf = (...ids: string[]): Json[] => ids.map((id) => ({ id, title: 'Title' }));
const optionItems: Json = { type: 'object', properties: { id: { type: 'string' }, title: { type: 'string' } } };
const demo = (children: Json[], changes: Json = {}): Json => ({
  version: '7.3',
  screens: [screenOf('DEMO_SCREEN', children, { terminal: true })],
  ...changes,
});
const withEndpoint = { data_api_version: '3.0', routing_model: { DEMO_SCREEN: [] } };
const nextScreen = screenOf('NEXT_SCREEN', [footer(complete)], { terminal: true });

/** Steps 2 to 5 of "Dynamic components": a date asks the endpoint for times, which show when they are there. */
const slots: Json = { type: 'array', items: optionItems, __example__: optionsOf('1', '2') };
const updateDate: Json = {
  name: 'data_exchange',
  payload: { date: '${form.date}', component_action: 'update_date' },
};
const date: Json = { type: 'DatePicker', label: 'Label', name: 'date' };
const slot: Json = { type: 'Dropdown', label: 'Label', name: 'selected_slot', 'data-source': optionsOf('1') };
const booking = (children: Json[], data: Json = {}): Json => ({
  version: '7.3',
  data_api_version: '3.0',
  routing_model: { BOOKING: [] },
  screens: [
    screenOf('BOOKING', [{ type: 'Form', name: 'booking-form', children: [...children, footer(complete)] }], {
      terminal: true,
      data,
    }),
  ],
});
const bookings: readonly (readonly [step: string, flow: Json])[] = [
  ['a list of times', booking([date, slot])],
  ['a list that asks with the value of another input', booking([date, { ...slot, 'on-select-action': updateDate }])],
  [
    'times of the endpoint',
    booking(
      [
        { ...date, 'on-select-action': updateDate },
        { ...slot, 'data-source': '${data.available_slots}' },
      ],
      {
        available_slots: slots,
      },
    ),
  ],
  [
    'times that are hidden at first',
    booking(
      [
        { ...date, 'on-select-action': updateDate },
        { ...slot, 'data-source': '${data.available_slots}', visible: '${data.is_dropdown_visible}' },
      ],
      { available_slots: slots, is_dropdown_visible: { type: 'boolean', __example__: false } },
    ),
  ],
];

/** The table of operators of "If" has these. */
const conditions = [
  '${form.opt_in} || (${data.num_value} > 5)',
  "${form.opt_in} && (${form.address} != '')",
  '!${form.value1}',
  '${form.opt_in} == true',
  '${data.num_value} == 5',
  "${form.city} == 'London'",
  '${form.opt_in} != true',
  '${form.opt_in} && ${data.boolean_value}',
  '!(${form.opt_in} || ${data.boolean_value})',
  '!(${data.num_value} > 5)',
  '${data.num_value} > ${data.num_value2}',
  '${data.num_value} <= ${data.num_value}',
];

const choices = { CheckboxGroup: 'checkboxes', RadioButtonsGroup: 'radio buttons', Dropdown: 'a list' };

/** Meta's page "Components" as of June 28, 2026. */
const componentsOfJune: readonly (readonly [example: string, flow: Json])[] = [
  [
    'a calendar picker whose mode comes from the endpoint',
    {
      version: '7.3',
      ...withEndpoint,
      screens: [
        screenOf(
          'DEMO_SCREEN',
          [
            {
              type: 'CalendarPicker',
              name: 'calendar',
              label: 'Label',
              'helper-text': 'Text',
              required: true,
              mode: '${data.mode}',
              'min-date': '2024-10-21',
              'max-date': '2025-12-12',
              'unavailable-dates': ['2024-11-28', '2024-11-01'],
              'include-days': ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'],
              'init-value': '2024-10-23',
              'on-select-action': { name: 'data_exchange', payload: { calendar: '${form.calendar}' } },
            },
            footer({ name: 'data_exchange', payload: {} }),
          ],
          { terminal: true, data: { mode: { type: 'string', __example__: 'single' } } },
        ),
      ],
    },
  ],
  ...Object.entries(choices).flatMap(([type, what]): [string, Json][] => [
    [
      `${what} in a form`,
      demo([
        {
          type: 'Form',
          name: 'form',
          children: [
            { type, name: 'choice', label: 'Label', 'data-source': optionsOf('One 1', 'Two 2') },
            footer(complete),
          ],
        },
      ]),
    ],
    [
      `${what} with options of the screen, below a heading of it`,
      {
        version: '7.3',
        screens: [
          screenOf(
            'DEMO_SCREEN',
            [
              { type: 'TextSubheading', text: '${data.heading}' },
              { type, name: 'choice', label: 'Label', 'data-source': '${data.options}' },
              footer(complete),
            ],
            {
              terminal: true,
              data: {
                heading: { type: 'string', __example__: 'Title' },
                options: { type: 'array', items: optionItems, __example__: optionsOf('2', '3') },
              },
            },
          ),
        ],
      },
    ],
    [
      `${what} with pictures`,
      demo([
        {
          type,
          name: 'packages',
          label: 'Label',
          required: true,
          'data-source': optionsOf('1', '2').map((option) => ({
            ...option,
            description: 'Description',
            metadata: '$50',
            image: picture,
          })),
        },
        footer(complete),
      ]),
    ],
  ]),
  [
    'a list whose options have prices',
    {
      version: '7.3',
      ...withEndpoint,
      screens: [
        screenOf(
          'DEMO_SCREEN',
          [
            { type: 'Dropdown', name: 'burgers', label: 'Label', required: true, 'data-source': '${data.all_burgers}' },
            footer({ name: 'data_exchange', payload: {} }),
          ],
          {
            terminal: true,
            data: {
              all_burgers: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: {
                    id: { type: 'string' },
                    title: { type: 'string' },
                    description: { type: 'string' },
                    metadata: { type: 'string' },
                  },
                },
                __example__: [{ id: '1', title: 'Title', description: 'Description', metadata: '$9.99' }],
              },
            },
          },
        ),
      ],
    },
  ],
  [
    'rich text of the endpoint',
    {
      version: '7.3',
      data_api_version: '3.0',
      routing_model: { TOC: [], FIRST_SCREEN: ['TOC'] },
      screens: [
        screenOf('TOC', [{ type: 'RichText', text: '${data.text}' }], {
          data: { text: { type: 'string', __example__: 'Text' } },
        }),
        screenOf(
          'FIRST_SCREEN',
          [
            {
              type: 'OptIn',
              name: 'toc',
              label: 'Label',
              required: true,
              'on-click-action': { name: 'data_exchange', payload: {} },
            },
            footer({ name: 'data_exchange', payload: {} }),
          ],
          { terminal: true },
        ),
      ],
    },
  ],
  [
    'captions beside the button, which phones cut',
    {
      version: '7.3',
      screens: [
        screenOf('DEMO_SCREEN', [
          {
            type: 'Form',
            name: 'text_input_form',
            children: [
              {
                ...footer(navigateTo('NEXT_SCREEN')),
                'left-caption': 'A caption on the left.',
                'right-caption': 'A caption on the right.',
              },
            ],
          },
        ]),
        nextScreen,
      ],
    },
  ],
  [
    'an OptIn on a screen without a button',
    {
      version: '7.3',
      screens: [
        screenOf('DEMO_SCREEN', [
          {
            type: 'Form',
            name: 'text_input_form',
            children: [
              {
                type: 'OptIn',
                name: 'OptIn',
                label: 'Label',
                required: true,
                'on-click-action': navigateTo('NEXT_SCREEN'),
              },
            ],
          },
        ]),
        nextScreen,
      ],
    },
  ],
  [
    'a link with a payload, on a screen without a button',
    {
      version: '7.3',
      screens: [
        screenOf('DEMO_SCREEN', [
          { type: 'EmbeddedLink', text: 'Text', 'on-click-action': navigateTo('FINISH', { test_payload: 'Text' }) },
        ]),
        screenOf('FINISH', [{ type: 'TextHeading', text: '${data.test_payload}' }, footer(complete)], {
          terminal: true,
          data: { test_payload: { type: 'string', __example__: 'Text' } },
        }),
      ],
    },
  ],
  ['a picture of a fixed size', demo([{ type: 'Image', src: picture, width: 200, height: 200 }, footer(complete)])],
  [
    'a condition without parentheses around it, and those of the table',
    {
      version: '7.3',
      screens: [
        screenOf(
          'SCREEN',
          [
            { type: 'TextInput', label: 'Label', name: 'animal', 'helper-text': 'Help' },
            { type: 'TextInput', label: 'Label', name: 'address' },
            { type: 'TextInput', label: 'Label', name: 'city' },
            { type: 'OptIn', label: 'Label', name: 'opt_in' },
            { type: 'OptIn', label: 'Label', name: 'value1' },
            ...["${data.boolean_value} && (${form.animal} == 'cat')", ...conditions].map((condition) => ({
              type: 'If',
              condition,
              then: [{ type: 'TextHeading', text: 'Text' }],
              else: [{ type: 'TextHeading', text: 'Text' }],
            })),
            footer(complete),
          ],
          {
            terminal: true,
            data: {
              num_value: { type: 'number', __example__: 5 },
              num_value2: { type: 'number', __example__: 6 },
              boolean_value: { type: 'boolean', __example__: true },
            },
          },
        ),
      ],
    },
  ],
  ...bookings.map(([step, flow]) => [`the booking of "Dynamic components" with ${step}`, flow] as const),
];

export const metaFlows: readonly (readonly [example: string, flow: Json])[] = [
  [
    'texts',
    {
      version: '7.3',
      screens: [
        screenOf(
          'DEMO_SCREEN',
          [
            { type: 'TextHeading', text: 'Heading', visible: true },
            { type: 'TextSubheading', text: 'Subheading', visible: true },
            { type: 'TextBody', text: 'Text' },
            { type: 'TextCaption', text: 'Caption' },
            footer(complete),
          ],
          { terminal: true },
        ),
      ],
    },
  ],
  [
    'inputs with a blank in their names, of which copies have the first three',
    {
      version: '7.3',
      screens: [
        screenOf(
          'DEMO_SCREEN',
          [
            {
              type: 'Form',
              name: 'text_input_form',
              'init-values': { 'text input': 'Text', 'text area': 'Text' },
              children: [
                { type: 'TextInput', required: true, label: 'Label', name: 'text input' },
                { type: 'TextInput', required: true, label: 'Label', 'input-type': 'number', name: 'number input' },
                { type: 'TextInput', required: true, label: 'Label', 'input-type': 'email', name: 'email input' },
                { type: 'TextArea', required: true, label: 'Label', name: 'text area' },
                footer(complete),
              ],
            },
          ],
          { terminal: true },
        ),
      ],
    },
  ],
  [
    'image carousel',
    {
      version: '7.1',
      screens: [
        screenOf(
          'DEMO_SCREEN',
          [
            {
              type: 'ImageCarousel',
              'scale-type': 'cover',
              images: [
                { 'alt-text': 'Picture', src: picture },
                { 'alt-text': 'Picture', src: picture },
              ],
            },
            footer(complete),
          ],
          { terminal: true },
        ),
      ],
    },
  ],
  [
    'chips selector',
    {
      version: '6.3',
      screens: [
        screenOf(
          'DEMO_SCREEN',
          [
            {
              type: 'ChipsSelector',
              name: 'chips',
              label: 'Label',
              description: 'Description',
              'max-selected-items': 2,
              'data-source': [
                { id: 'room_layout', title: 'Title' },
                { id: 'lighting', title: 'Title' },
              ],
            },
            footer(complete),
          ],
          { terminal: true },
        ),
      ],
    },
  ],
  [
    'regex',
    {
      version: '6.2',
      screens: [
        screenOf(
          'DEMO_SCREEN',
          [
            {
              type: 'TextInput',
              required: true,
              label: 'Label',
              'input-type': 'text',
              pattern: '^(19|20)\\d\\d-(0[1-9]|1[012])-(0[1-9]|[12][0-9]|3[01])$',
              'helper-text': 'Help',
              name: 'regex input',
            },
            {
              type: 'TextInput',
              required: true,
              label: 'Label',
              pattern: '007',
              'input-type': 'passcode',
              name: 'passcode_oo7',
              'helper-text': 'Help',
            },
            footer(complete),
          ],
          { terminal: true },
        ),
      ],
    },
  ],
  [
    'navigation list',
    {
      version: '6.2',
      routing_model: {
        FIRST_SCREEN: ['SECOND_SCREEN', 'THIRD_SCREEN', 'FIFTH_SCREEN'],
        SECOND_SCREEN: ['CONTACT'],
        THIRD_SCREEN: ['CONTACT'],
        FIFTH_SCREEN: ['CONTACT'],
        CONTACT: [],
      },
      screens: [
        screenOf('FIRST_SCREEN', [
          {
            type: 'NavigationList',
            name: 'insurances',
            'list-items': [
              {
                id: 'home',
                'main-content': { title: 'Title', metadata: 'More' },
                end: { title: 'Title', description: 'Description' },
                'on-click-action': navigateTo('SECOND_SCREEN'),
              },
              {
                id: 'health',
                'main-content': { title: 'Title', metadata: 'More' },
                end: { title: 'Title', description: 'Description' },
                'on-click-action': navigateTo('SECOND_SCREEN'),
              },
              {
                id: 'intergalactic',
                'main-content': { title: 'Title', metadata: 'More' },
                end: { title: 'Title', description: 'Description' },
                'on-click-action': navigateTo('THIRD_SCREEN'),
              },
              {
                id: 'timetravel',
                'main-content': { title: 'Title', metadata: 'More' },
                end: { title: 'Title', description: 'Description' },
                'on-click-action': navigateTo('FIFTH_SCREEN', { first_name: 'Text' }),
              },
              {
                id: 'dream',
                'main-content': { title: 'Title', metadata: 'More' },
                end: { title: 'Title', description: 'Description' },
                'on-click-action': navigateTo('FIFTH_SCREEN', { first_name: 'Text' }),
              },
            ],
          },
        ]),
        screenOf('SECOND_SCREEN', [
          { type: 'TextSubheading', text: 'Text' },
          {
            type: 'Form',
            name: 'property_details_form',
            children: [
              {
                type: 'Dropdown',
                name: 'property_type',
                required: true,
                label: 'Label',
                'data-source': [
                  { id: 'House', title: 'Title' },
                  { id: 'Apartment', title: 'Title' },
                ],
              },
              { type: 'TextInput', name: 'surface', label: 'Label', 'input-type': 'number', required: true },
              { type: 'TextInput', name: 'rooms', 'input-type': 'number', label: 'Label', required: true },
              { type: 'TextInput', name: 'floors', label: 'Label' },
              footer(navigateTo('CONTACT')),
            ],
          },
        ]),
        screenOf('THIRD_SCREEN', [
          { type: 'TextSubheading', text: 'Text' },
          {
            type: 'Form',
            name: 'health_insurance_form',
            children: [
              {
                type: 'Dropdown',
                label: 'Label',
                name: 'insurance_type',
                required: true,
                'data-source': [
                  { id: 'individual', title: 'Title' },
                  { id: 'family', title: 'Title' },
                ],
              },
              { type: 'TextInput', label: 'Label', required: true, 'helper-text': 'Help', name: 'number_of_people' },
              {
                type: 'Dropdown',
                label: 'Label',
                name: 'age_range',
                required: true,
                'data-source': [
                  { id: '18-24', title: 'Title' },
                  { id: '25-34', title: 'Title' },
                ],
              },
              footer(navigateTo('CONTACT')),
            ],
          },
        ]),
        screenOf(
          'FIFTH_SCREEN',
          [
            { type: 'TextBody', text: "`${data.first_name} 'Text '`" },
            { type: 'TextBody', text: 'Text' },
            {
              type: 'Form',
              name: 'health_insurance_form',
              children: [
                {
                  type: 'Dropdown',
                  label: 'Label',
                  name: 'insurance_type',
                  required: true,
                  'data-source': [
                    { id: 'individual', title: 'Title' },
                    { id: 'family', title: 'Title' },
                  ],
                },
                { type: 'TextInput', label: 'Label', required: true, 'helper-text': 'Help', name: 'number_of_people' },
                {
                  type: 'Dropdown',
                  label: 'Label',
                  name: 'age_range',
                  required: true,
                  'data-source': [
                    { id: '18-24', title: 'Title' },
                    { id: '25-34', title: 'Title' },
                  ],
                },
                footer(navigateTo('CONTACT')),
              ],
            },
          ],
          { data: { first_name: { type: 'string', __example__: 'Bob' } } },
        ),
        screenOf(
          'CONTACT',
          [
            { type: 'TextHeading', text: 'Text' },
            {
              type: 'Form',
              name: 'form',
              children: [
                { type: 'TextInput', name: 'name', label: 'Label', required: true },
                { type: 'TextInput', name: 'phone', required: true, label: 'Label' },
                footer({ name: 'complete', payload: { phone: '${form.phone}', name: '${form.name}' } }),
              ],
            },
          ],
          { terminal: true },
        ),
      ],
    },
  ],
  [
    'navigation list dynamic',
    {
      version: '6.2',
      data_api_version: '3.0',
      routing_model: {
        FIRST_SCREEN: ['SECOND_SCREEN', 'THIRD_SCREEN'],
        SECOND_SCREEN: ['CONTACT'],
        THIRD_SCREEN: ['CONTACT'],
        CONTACT: [],
      },
      screens: [
        screenOf('FIRST_SCREEN', [{ type: 'NavigationList', name: 'insurances', 'list-items': '${data.insurances}' }], {
          data: {
            insurances: {
              type: 'array',
              items: {
                type: 'object',
                properties: {
                  id: { type: 'string' },
                  'main-content': {
                    type: 'object',
                    properties: { title: { type: 'string' }, metadata: { type: 'string' } },
                  },
                },
              },
              __example__: [
                {
                  id: 'home',
                  'main-content': { title: 'Title', metadata: 'More' },
                  'on-click-action': { name: 'data_exchange', payload: { selection: 'home' } },
                },
                {
                  id: 'health',
                  'main-content': { title: 'Title', metadata: 'More' },
                  'on-click-action': { name: 'data_exchange', payload: { selection: 'health' } },
                },
              ],
            },
          },
        }),
        screenOf('SECOND_SCREEN', [
          { type: 'TextSubheading', text: 'Text' },
          {
            type: 'Form',
            name: 'property_details_form',
            children: [
              {
                type: 'Dropdown',
                name: 'property_type',
                required: true,
                label: 'Label',
                'data-source': [
                  { id: 'House', title: 'Title' },
                  { id: 'Apartment', title: 'Title' },
                ],
              },
              { type: 'TextInput', name: 'surface', label: 'Label', 'input-type': 'number', required: true },
              { type: 'TextInput', name: 'rooms', 'input-type': 'number', label: 'Label', required: true },
              { type: 'TextInput', name: 'floors', label: 'Label' },
              footer(navigateTo('CONTACT')),
            ],
          },
        ]),
        screenOf('THIRD_SCREEN', [
          { type: 'TextSubheading', text: 'Text' },
          {
            type: 'Form',
            name: 'health_insurance_form',
            children: [
              {
                type: 'Dropdown',
                label: 'Label',
                name: 'insurance_type',
                required: true,
                'data-source': [
                  { id: 'individual', title: 'Title' },
                  { id: 'family', title: 'Title' },
                ],
              },
              { type: 'TextInput', label: 'Label', required: true, 'helper-text': 'Help', name: 'number_of_people' },
              {
                type: 'Dropdown',
                label: 'Label',
                name: 'age_range',
                required: true,
                'data-source': [
                  { id: '18-24', title: 'Title' },
                  { id: '25-34', title: 'Title' },
                ],
              },
              footer(navigateTo('CONTACT')),
            ],
          },
        ]),
        screenOf(
          'CONTACT',
          [
            { type: 'TextHeading', text: 'Text' },
            {
              type: 'Form',
              name: 'form',
              children: [
                { type: 'TextInput', name: 'name', label: 'Label', required: true },
                { type: 'TextInput', name: 'phone', required: true, label: 'Label' },
                footer({ name: 'complete', payload: { phone: '${form.phone}', name: '${form.name}' } }),
              ],
            },
          ],
          { terminal: true },
        ),
      ],
    },
  ],
  [
    'calendar picker single mode',
    {
      version: '6.1',
      data_api_version: '3.0',
      routing_model: {},
      screens: [
        screenOf(
          'DEMO_SCREEN',
          [
            {
              type: 'CalendarPicker',
              name: 'calendar',
              label: 'Label',
              'helper-text': 'Help',
              required: true,
              mode: 'single',
              'min-date': '2024-10-21',
              'max-date': '2025-12-12',
              'unavailable-dates': ['2024-11-28', '2024-11-01'],
              'include-days': ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'],
              'init-value': '2024-10-23',
              'on-select-action': { name: 'data_exchange', payload: { calendar: '${form.calendar}' } },
            },
            footer({ name: 'data_exchange', payload: {} }),
          ],
          { terminal: true },
        ),
      ],
    },
  ],
  [
    'calendar picker range mode',
    {
      version: '6.1',
      data_api_version: '3.0',
      routing_model: {},
      screens: [
        screenOf(
          'DEMO_SCREEN',
          [
            {
              type: 'CalendarPicker',
              name: 'calendar_range',
              title: 'Title',
              description: 'Description',
              label: { 'start-date': 'Start date', 'end-date': 'End date' },
              'helper-text': { 'start-date': 'Select from date', 'end-date': 'Select to date' },
              required: { 'start-date': true, 'end-date': false },
              mode: 'range',
              'min-date': '2024-10-21',
              'max-date': '2025-12-12',
              'unavailable-dates': ['2024-11-28', '2024-11-01'],
              'include-days': ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'],
              'min-days': 3,
              'max-days': 10,
              'init-value': { 'start-date': '2024-10-22', 'end-date': '2024-10-25' },
              'on-select-action': { name: 'data_exchange', payload: { calendar_range: '${form.calendar_range}' } },
            },
            footer({ name: 'data_exchange', payload: {} }),
          ],
          { terminal: true },
        ),
      ],
    },
  ],
  [
    'string concatenation',
    {
      version: '6.0',
      screens: [
        screenOf(
          'DEMO_SCREEN',
          [
            { type: 'TextInput', label: 'Label', 'input-type': 'text', name: 'first_name', required: true },
            { type: 'TextInput', label: 'Label', 'input-type': 'number', name: 'age', required: true },
            { type: 'TextBody', text: "` 'Text ' ${form.first_name}`" },
            { type: 'TextBody', text: "`${form.first_name} 'Text ' ${form.age} 'Text ' `" },
            footer(complete),
          ],
          { terminal: true },
        ),
      ],
    },
  ],
  [
    'open url',
    {
      version: '6.0',
      screens: [
        screenOf(
          'DEMO_SCREEN',
          [
            { type: 'EmbeddedLink', text: 'Text', 'on-click-action': { name: 'open_url', url: 'https://example.com' } },
            {
              type: 'OptIn',
              label: 'Label',
              name: 'T&Cs',
              'on-click-action': { name: 'open_url', url: 'https://example.com' },
            },
            footer(complete),
          ],
          { terminal: true },
        ),
      ],
    },
  ],
  [
    'update data',
    {
      version: '6.0',
      screens: [
        screenOf(
          'ADDRESS_SELECTION',
          [
            { type: 'RadioButtonsGroup', name: 'select_country', label: 'Label', 'data-source': '${data.countries}' },
            {
              type: 'RadioButtonsGroup',
              name: 'select_states',
              label: 'Label',
              visible: '${data.state_visibility}',
              'data-source': '${data.states}',
            },
            {
              type: 'RadioButtonsGroup',
              name: 'pincode',
              label: 'Label',
              visible: '${data.pincode_visibility}',
              'data-source': '${data.pincode}',
            },
            footer(complete),
          ],
          {
            terminal: true,
            success: true,
            data: {
              countries: {
                type: 'array',
                items: { type: 'object', properties: { id: { type: 'string' }, title: { type: 'string' } } },
                __example__: [
                  {
                    id: '1',
                    title: 'Title',
                    'on-select-action': {
                      name: 'update_data',
                      payload: {
                        states: [
                          {
                            id: 'new_york',
                            title: 'Title',
                            'on-unselect-action': { name: 'update_data', payload: { pincode_visibility: false } },
                            'on-select-action': {
                              name: 'update_data',
                              payload: {
                                pincode: [
                                  { id: '10001', title: 'Title' },
                                  { id: '10005', title: 'Title' },
                                ],
                                pincode_visibility: true,
                              },
                            },
                          },
                          {
                            id: 'california',
                            title: 'Title',
                            'on-unselect-action': { name: 'update_data', payload: { pincode_visibility: false } },
                            'on-select-action': {
                              name: 'update_data',
                              payload: {
                                pincode: [
                                  { id: '90019', title: 'Title' },
                                  { id: '93504', title: 'Title' },
                                ],
                                pincode_visibility: true,
                              },
                            },
                          },
                        ],
                        state_visibility: true,
                      },
                    },
                    'on-unselect-action': {
                      name: 'update_data',
                      payload: { state_visibility: false, pincode_visibility: false },
                    },
                  },
                  {
                    id: '2',
                    title: 'Title',
                    'on-select-action': {
                      name: 'update_data',
                      payload: {
                        states: [
                          {
                            id: 'ontario',
                            title: 'Title',
                            'on-unselect-action': { name: 'update_data', payload: { pincode_visibility: false } },
                            'on-select-action': {
                              name: 'update_data',
                              payload: {
                                pincode: [
                                  { id: 'L4K', title: 'Title' },
                                  { id: 'M3C', title: 'Title' },
                                ],
                                pincode_visibility: true,
                              },
                            },
                          },
                          {
                            id: 'quebec',
                            title: 'Title',
                            'on-unselect-action': { name: 'update_data', payload: { pincode_visibility: false } },
                            'on-select-action': {
                              name: 'update_data',
                              payload: {
                                pincode: [
                                  { id: 'M6B2A9', title: 'Title' },
                                  { id: 'M5V', title: 'Title' },
                                ],
                                pincode_visibility: true,
                              },
                            },
                          },
                        ],
                        state_visibility: true,
                      },
                    },
                    'on-unselect-action': {
                      name: 'update_data',
                      payload: { state_visibility: false, pincode_visibility: false },
                    },
                  },
                ],
              },
              states: {
                type: 'array',
                items: { type: 'object', properties: { id: { type: 'string' }, title: { type: 'string' } } },
                __example__: [{ id: '1', title: 'Title' }],
              },
              pincode: {
                type: 'array',
                items: { type: 'object', properties: { id: { type: 'string' }, title: { type: 'string' } } },
                __example__: [{ id: 'M6B2A9', title: 'Title' }],
              },
              state_visibility: { type: 'boolean', __example__: false },
              pincode_visibility: { type: 'boolean', __example__: false },
            },
          },
        ),
      ],
    },
  ],
  [
    'math operators',
    {
      version: '6.0',
      screens: [
        screenOf(
          'DEMO_SCREEN',
          [
            {
              type: 'TextBody',
              text: [
                "` 'Text ' ${data.number_1} 'Text ' ${data.number_2} 'Text ' (${data.number_1} + ${data.number_2})`",
                "` 'Text ' ${data.number_1} 'Text ' ${data.number_2} 'Text ' (${data.number_1} - ${data.number_2})`",
                "` 'Text ' ${data.number_1} 'Text ' ${data.number_2} 'Text ' (${data.number_1} * ${data.number_2})`",
                "` 'Text ' ${data.number_1} 'Text ' ${data.number_2} 'Text ' (${data.number_1} / ${data.number_2})`",
              ],
            },
            footer(complete),
          ],
          {
            terminal: true,
            success: true,
            data: { number_1: { type: 'number', __example__: 10 }, number_2: { type: 'number', __example__: 20 } },
          },
        ),
      ],
    },
  ],
  [
    'rich text',
    {
      version: '5.1',
      screens: [
        screenOf(
          'FIRST_SCREEN',
          [
            { type: 'TextCaption', markdown: true, text: ['Text', 'Text'] },
            { type: 'TextBody', markdown: true, text: ['Text', 'Text', 'Text', 'Text', 'Text'] },
            { type: 'OptIn', name: 'toc', required: true, label: 'Label', 'on-click-action': navigateTo('TOC') },
            footer(complete),
          ],
          { terminal: true },
        ),
        screenOf('TOC', [{ type: 'RichText', text: ['Text', '# Title', '# Title', 'Text', 'Text', 'Text'] }]),
      ],
    },
  ],
  [
    'radio buttons with pics',
    {
      version: '5.0',
      screens: [
        screenOf(
          'TRAVEL_PACKAGES',
          [
            {
              type: 'RadioButtonsGroup',
              name: 'packages',
              required: true,
              'data-source': [
                { id: '1', title: 'Title', description: 'Description', 'alt-text': 'Picture', image: picture },
                { id: '2', title: 'Title', description: 'Description', image: picture },
              ],
              label: 'Label',
            },
            footer(complete),
          ],
          { terminal: true },
        ),
      ],
    },
  ],
  [
    'date picker dates obj',
    {
      version: '5.0',
      data_api_version: '3.0',
      routing_model: {},
      screens: [
        screenOf(
          'DEMO_SCREEN',
          [
            {
              type: 'DatePicker',
              name: 'date',
              label: 'Label',
              'min-date': '2024-10-21',
              'max-date': '2024-11-12',
              'unavailable-dates': ['2024-10-28', '2024-11-01'],
              'on-select-action': { name: 'data_exchange', payload: { date: '${form.date}' } },
            },
            footer({ name: 'data_exchange', payload: {} }),
          ],
          { terminal: true },
        ),
      ],
    },
  ],
  [
    'if',
    {
      version: '4.0',
      screens: [
        screenOf(
          'SCREEN',
          [
            { type: 'TextInput', label: 'Label', name: 'animal', 'helper-text': 'Help' },
            {
              type: 'If',
              condition: "(${data.value} && (${form.animal} == 'cat'))",
              then: [{ type: 'TextHeading', text: 'Text' }],
              else: [{ type: 'TextHeading', text: 'Text' }],
            },
            footer(complete),
          ],
          { terminal: true, data: { value: { type: 'boolean', __example__: true } }, success: true },
        ),
      ],
    },
  ],
  [
    'switch',
    {
      version: '4.0',
      screens: [
        screenOf(
          'SCREEN',
          [
            { type: 'TextInput', label: 'Label', name: 'animal', 'helper-text': 'Help' },
            {
              type: 'Switch',
              value: '${form.animal}',
              cases: {
                cat: [{ type: 'TextHeading', text: 'Text' }],
                dog: [{ type: 'TextHeading', text: 'Text' }],
                default: [{ type: 'TextHeading', text: 'Text' }],
              },
            },
            footer(complete),
          ],
          { terminal: true, data: { value: { type: 'string', __example__: 'cat' } }, success: true },
        ),
      ],
    },
  ],
  [
    'photo picker',
    {
      version: '4.0',
      routing_model: { FIRST: [] },
      data_api_version: '3.0',
      screens: [
        screenOf(
          'FIRST',
          [
            {
              type: 'Form',
              name: 'flow_path',
              children: [
                {
                  type: 'PhotoPicker',
                  name: 'photo_picker',
                  label: 'Label',
                  description: 'Description',
                  'photo-source': 'camera_gallery',
                  'min-uploaded-photos': 1,
                  'max-uploaded-photos': 10,
                  'max-file-size-kb': 10240,
                },
                footer({ name: 'data_exchange', payload: { images: '${form.photo_picker}' } }),
              ],
            },
          ],
          { terminal: true },
        ),
      ],
    },
  ],
  [
    'doc picker',
    {
      version: '4.0',
      routing_model: { SECOND: [] },
      data_api_version: '3.0',
      screens: [
        screenOf(
          'SECOND',
          [
            {
              type: 'Form',
              name: 'flow_path',
              children: [
                {
                  type: 'DocumentPicker',
                  name: 'document_picker',
                  label: 'Label',
                  description: 'Description',
                  'min-uploaded-documents': 1,
                  'max-uploaded-documents': 1,
                  'max-file-size-kb': 1024,
                  'allowed-mime-types': ['image/jpeg', 'application/pdf'],
                },
                footer({ name: 'complete', payload: { documents: '${form.document_picker}' } }),
              ],
            },
          ],
          { terminal: true },
        ),
      ],
    },
  ],
  [
    'global fields',
    {
      version: '4.0',
      screens: [
        screenOf(
          'SCREEN_ONE',
          [{ type: 'TextInput', name: 'field1', label: 'Label' }, footer(navigateTo('SCREEN_TWO'))],
          { data: { field2: { type: 'string', __example__: 'data' } } },
        ),
        screenOf(
          'SCREEN_TWO',
          [
            footer({
              name: 'complete',
              payload: { field1: '${screen.SCREEN_ONE.form.field1}', field2: '${screen.SCREEN_ONE.data.field2}' },
            }),
          ],
          { terminal: true },
        ),
      ],
    },
  ],
  [
    'forward refs',
    {
      version: '4.0',
      routing_model: { SELECT_SERVICES: ['SELECT_INSURANCE'] },
      screens: [
        screenOf('SELECT_INSURANCE', [
          {
            type: 'RadioButtonsGroup',
            name: 'insurance',
            label: 'Label',
            'data-source': [
              { id: 'basic', title: 'Title' },
              { id: 'standard', title: 'Title' },
            ],
          },
        ]),
        screenOf(
          'SELECT_SERVICES',
          [
            { type: 'TextSubheading', text: 'Text' },
            {
              type: 'If',
              condition: "(${screen.SELECT_INSURANCE.form.insurance} != '')",
              then: [
                {
                  type: 'Switch',
                  value: '${screen.SELECT_INSURANCE.form.insurance}',
                  cases: {
                    basic: [{ type: 'TextBody', text: 'Text' }],
                    standard: [{ type: 'TextBody', text: 'Text' }],
                    full: [{ type: 'TextBody', text: 'Text' }],
                  },
                },
              ],
              else: [{ type: 'TextBody', text: 'Text' }],
            },
            { type: 'EmbeddedLink', text: 'Text', 'on-click-action': navigateTo('SELECT_INSURANCE') },
            footer({
              name: 'complete',
              payload: { selected_insurance_type: '${screen.SELECT_INSURANCE.form.insurance}' },
            }),
          ],
          { terminal: true },
        ),
      ],
    },
  ],
  [
    'sign in',
    {
      version: '2.1',
      data_api_version: '3.0',
      data_channel_uri: 'https://example.com',
      routing_model: {
        SIGN_IN: ['SIGN_UP', 'FORGOT_PASSWORD'],
        SIGN_UP: ['TERMS_AND_CONDITIONS'],
        FORGOT_PASSWORD: [],
        TERMS_AND_CONDITIONS: [],
      },
      screens: [
        screenOf(
          'SIGN_IN',
          [
            {
              type: 'Form',
              name: 'sign_in_form',
              children: [
                { type: 'TextInput', required: true, label: 'Label', name: 'email', 'input-type': 'email' },
                { type: 'TextInput', required: true, label: 'Label', name: 'password', 'input-type': 'password' },
                { type: 'EmbeddedLink', text: 'Text', 'on-click-action': navigateTo('SIGN_UP') },
                {
                  type: 'EmbeddedLink',
                  text: 'Text',
                  'on-click-action': navigateTo('FORGOT_PASSWORD', { body: 'Example' }),
                },
                footer({ name: 'data_exchange', payload: { email: '${form.email}', password: '${form.password}' } }),
              ],
            },
          ],
          { terminal: true },
        ),
        screenOf('SIGN_UP', [
          {
            type: 'Form',
            name: 'sign_up_form',
            children: [
              { type: 'TextInput', required: true, label: 'Label', name: 'first_name', 'input-type': 'text' },
              { type: 'TextInput', required: true, label: 'Label', name: 'last_name', 'input-type': 'text' },
              { type: 'TextInput', required: true, label: 'Label', name: 'email', 'input-type': 'email' },
              { type: 'TextInput', required: true, label: 'Label', name: 'password', 'input-type': 'password' },
              { type: 'TextInput', required: true, label: 'Label', name: 'confirm_password', 'input-type': 'password' },
              {
                type: 'OptIn',
                name: 'terms_agreement',
                label: 'Label',
                required: true,
                'on-click-action': navigateTo('TERMS_AND_CONDITIONS'),
              },
              { type: 'OptIn', name: 'offers_acceptance', label: 'Label' },
              footer({
                name: 'data_exchange',
                payload: {
                  first_name: '${form.first_name}',
                  last_name: '${form.last_name}',
                  email: '${form.email}',
                  password: '${form.password}',
                  confirm_password: '${form.confirm_password}',
                  terms_agreement: '${form.terms_agreement}',
                  offers_acceptance: '${form.offers_acceptance}',
                },
              }),
            ],
          },
        ]),
        screenOf(
          'FORGOT_PASSWORD',
          [
            {
              type: 'Form',
              name: 'forgot_password_form',
              children: [
                { type: 'TextBody', text: '${data.body}' },
                { type: 'TextInput', required: true, label: 'Label', name: 'email', 'input-type': 'email' },
                footer({ name: 'data_exchange', payload: { email: '${form.email}' } }),
              ],
            },
          ],
          {
            terminal: true,
            data: {
              body: {
                type: 'string',
                __example__:
                  "Enter your email address for your account and we'll send a reset link. The single-use link will expire after 24 hours.",
              },
            },
          },
        ),
        screenOf('TERMS_AND_CONDITIONS', [
          { type: 'TextHeading', text: 'Text' },
          { type: 'TextSubheading', text: 'Text' },
          { type: 'TextBody', text: 'Text' },
          { type: 'TextSubheading', text: 'Text' },
          { type: 'TextBody', text: 'Text' },
        ]),
      ],
    },
  ],
  [
    'date picker dates str',
    {
      version: '4.0',
      data_api_version: '3.0',
      routing_model: {},
      screens: [
        screenOf(
          'DEMO_SCREEN',
          [
            {
              type: 'Form',
              name: 'form_name',
              children: [
                {
                  type: 'DatePicker',
                  name: 'date',
                  label: 'Label',
                  'min-date': '1693569600000',
                  'max-date': '1767182400000',
                  'unavailable-dates': ['1694779200000', '1697371200000'],
                  'on-select-action': { name: 'data_exchange', payload: { date: '${form.date}' } },
                },
                footer({ name: 'data_exchange', payload: {} }),
              ],
            },
          ],
          { terminal: true },
        ),
      ],
    },
  ],
  [
    'visible condition',
    {
      version: '6.0',
      screens: [
        screenOf(
          'DEMO_SCREEN',
          [
            { type: 'TextInput', label: 'Label', 'input-type': 'number', name: 'number' },
            { type: 'TextBody', text: 'Text', visible: '`(${form.number} == 42)`' },
            footer(complete),
          ],
          { terminal: true, success: true },
        ),
      ],
    },
  ],
  [
    'customer satisfaction survey',
    {
      version: '2.1',
      screens: [
        screenOf(
          'RECOMMEND',
          [
            {
              type: 'Form',
              name: 'form',
              children: [
                {
                  type: 'RadioButtonsGroup',
                  label: 'Label',
                  name: 'recommend_radio',
                  required: true,
                  'data-source': [
                    { id: '0', title: 'Title' },
                    { id: '1', title: 'Title' },
                  ],
                },
                { type: 'TextArea', label: 'Label', required: false, name: 'comment_text' },
                footer(
                  navigateTo('RATE', {
                    recommend_radio: '${form.recommend_radio}',
                    comment_text: '${form.comment_text}',
                  }),
                ),
              ],
            },
          ],
          { data: {} },
        ),
        screenOf(
          'RATE',
          [
            {
              type: 'Form',
              name: 'form',
              children: [
                {
                  type: 'Dropdown',
                  label: 'Label',
                  required: true,
                  name: 'purchase_rating',
                  'data-source': [
                    { id: '0', title: '★★★★★ • Title (5/5)' },
                    { id: '1', title: '★★★★☆ • Title (4/5)' },
                  ],
                },
                footer({
                  name: 'complete',
                  payload: {
                    purchase_rating: '${form.purchase_rating}',
                    recommend_radio: '${data.recommend_radio}',
                    comment_text: '${data.comment_text}',
                  },
                }),
              ],
            },
          ],
          {
            terminal: true,
            data: {
              recommend_radio: { type: 'string', __example__: 'Example' },
              comment_text: { type: 'string', __example__: 'Example' },
            },
          },
        ),
      ],
    },
  ],
  [
    'customer engagement',
    {
      version: '2.1',
      screens: [
        screenOf('QUESTION_ONE', [
          {
            type: 'Form',
            name: 'form',
            children: [
              {
                type: 'CheckboxGroup',
                label: 'Label',
                required: true,
                name: 'question1Checkbox',
                'data-source': [
                  { id: '0', title: 'Title' },
                  { id: '1', title: 'Title' },
                ],
              },
              footer(navigateTo('QUESTION_TWO', { question1Checkbox: '${form.question1Checkbox}' })),
            ],
          },
        ]),
        screenOf(
          'QUESTION_TWO',
          [
            {
              type: 'Form',
              name: 'form',
              children: [footer({ name: 'complete', payload: { question1Checkbox: '${data.question1Checkbox}' } })],
            },
          ],
          {
            terminal: true,
            data: {
              question1Checkbox: { type: 'array', items: { type: 'string' }, __example__: ['Example', 'Example2'] },
            },
          },
        ),
      ],
    },
  ],
  [
    'lead re-engagement',
    {
      version: '2.1',
      screens: [
        screenOf(
          'SIGN_UP',
          [
            {
              type: 'Form',
              name: 'form',
              children: [
                {
                  type: 'TextInput',
                  name: 'email',
                  label: 'Label',
                  'input-type': 'email',
                  required: true,
                  visible: true,
                  'helper-text': '',
                },
                { ...footer({ name: 'complete', payload: { email: '${form.email}' } }), enabled: true },
              ],
            },
          ],
          { terminal: true, data: {} },
        ),
      ],
    },
  ],
  [
    'register',
    {
      version: '2.1',
      data_api_version: '3.0',
      data_channel_uri: 'https://example.com',
      routing_model: { REGISTER: [] },
      screens: [
        screenOf(
          'REGISTER',
          [
            {
              type: 'Form',
              name: 'register_form',
              'error-messages': '${data.error_messages}',
              children: [
                { type: 'TextInput', required: true, label: 'Label', name: 'password', 'input-type': 'password' },
                {
                  type: 'TextInput',
                  required: true,
                  label: 'Label',
                  name: 'confirm_password',
                  'input-type': 'password',
                },
                footer({
                  name: 'data_exchange',
                  payload: { password: '${form.password}', confirm_password: '${form.confirm_password}' },
                }),
              ],
            },
          ],
          {
            terminal: true,
            data: {
              error_messages: {
                type: 'object',
                properties: { confirm_password: { type: 'string' } },
                __example__: { confirm_password: 'Text' },
              },
            },
          },
        ),
      ],
    },
  ],
  [
    'book a table',
    {
      version: '2.1',
      data_api_version: '3.0',
      data_channel_uri: 'https://example.com',
      routing_model: { BOOKING: [] },
      screens: [
        screenOf(
          'BOOKING',
          [
            {
              type: 'Form',
              name: 'book_table_form',
              children: [
                {
                  type: 'DatePicker',
                  name: 'date',
                  label: 'Label',
                  'min-date': '${data.min_date}',
                  'max-date': '${data.max_date}',
                  'unavailable-dates': '${data.unavailable_dates}',
                  required: true,
                  'on-select-action': { name: 'data_exchange', payload: { date: '${form.date}' } },
                },
                footer({ name: 'data_exchange', payload: {} }),
              ],
            },
          ],
          {
            terminal: true,
            data: {
              min_date: { type: 'string', __example__: '1693569600000' },
              max_date: { type: 'string', __example__: '1767182400000' },
              unavailable_dates: { type: 'array', items: { type: 'string' }, __example__: ['1694779200000'] },
            },
          },
        ),
      ],
    },
  ],
  [
    'get a quote',
    {
      version: '2.1',
      data_api_version: '3.0',
      data_channel_uri: 'https://example.com',
      routing_model: { COVER: ['QUOTE'], QUOTE: [] },
      screens: [
        screenOf(
          'COVER',
          [
            {
              type: 'Form',
              name: 'cover_form',
              children: [
                {
                  type: 'CheckboxGroup',
                  name: 'options',
                  'data-source': '${data.options}',
                  label: 'Label',
                  required: true,
                },
                footer({ name: 'data_exchange', payload: { options: '${form.options}' } }),
              ],
            },
          ],
          {
            data: {
              options: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: { id: { type: 'string' }, title: { type: 'string' }, description: { type: 'string' } },
                },
                __example__: [{ id: '1', title: 'Title', description: 'Description' }],
              },
            },
          },
        ),
        screenOf(
          'QUOTE',
          [
            {
              type: 'Form',
              name: 'quote_form',
              'init-values': { payment_options: '1' },
              children: [
                {
                  type: 'RadioButtonsGroup',
                  name: 'payment_options',
                  label: 'Label',
                  'data-source': [
                    { id: '1', title: 'Title' },
                    { id: '2', title: 'Title' },
                  ],
                  'on-select-action': {
                    name: 'data_exchange',
                    payload: { payment_options: '${form.payment_options}' },
                  },
                  required: true,
                },
                { type: 'TextHeading', text: '${data.total}' },
                footer({ name: 'data_exchange', payload: {} }),
              ],
            },
          ],
          { terminal: true, data: { total: { type: 'string', __example__: 'Text' } } },
        ),
      ],
    },
  ],
  [
    'a survey without labels, of https://github.com/WhatsApp/WhatsApp-Flows-Tools, articles/creating-surveys',
    {
      version: '3.1',
      screens: [
        screenOf(
          'SURVEY_SCREEN',
          [
            {
              type: 'Form',
              name: 'form',
              children: [
                { type: 'TextCaption', text: 'Text\n\n' },
                {
                  type: 'RadioButtonsGroup',
                  required: true,
                  name: 'source',
                  'data-source': [
                    { id: '0', title: 'Title' },
                    { id: '1', title: 'Title' },
                  ],
                },
                footer({ name: 'complete', payload: { source: '${form.source}' } }),
              ],
            },
          ],
          { terminal: true, data: {} },
        ),
      ],
    },
  ],
  [
    'collect purchase interest',
    {
      version: '7.2',
      screens: [
        screenOf(
          'JOIN_NOW',
          [
            {
              type: 'Form',
              name: 'form',
              children: [
                {
                  type: 'OptIn',
                  label: 'Label',
                  required: true,
                  name: 'tos_optin',
                  'on-click-action': navigateTo('TERMS_AND_CONDITIONS'),
                },
                footer(navigateTo('CATEGORIES', { tos_optin: '${form.tos_optin}' })),
              ],
            },
          ],
          { data: {} },
        ),
        screenOf('CATEGORIES', [footer({ name: 'complete', payload: { tos_optin: '${data.tos_optin}' } })], {
          terminal: true,
          success: true,
          data: { tos_optin: { type: 'boolean', __example__: false } },
        }),
        screenOf('TERMS_AND_CONDITIONS', [{ type: 'TextHeading', text: 'Text' }], { data: {} }),
      ],
    },
  ],
  [
    'pre-approved loan',
    {
      version: '7.2',
      data_api_version: '3.0',
      routing_model: { LOAN: ['DETAILS'], DETAILS: ['COMPLETE'], COMPLETE: [] },
      screens: [
        screenOf(
          'LOAN',
          [
            {
              type: 'Form',
              name: 'loan_form',
              'init-values': { amount: '${data.selected_amount}' },
              children: [
                { type: 'Image', src: picture, height: 84, 'scale-type': 'contain' },
                {
                  type: 'Dropdown',
                  label: 'Label',
                  name: 'amount',
                  required: true,
                  'data-source': [
                    { id: 'amount1', title: '₹ 7,20,000' },
                    { id: 'amount2', title: '₹ 3,20,000' },
                  ],
                },
                footer({ name: 'data_exchange', payload: { amount: '${form.amount}' } }),
              ],
            },
          ],
          { data: { selected_amount: { type: 'string', __example__: 'amount1' } } },
        ),
        screenOf(
          'DETAILS',
          [
            {
              type: 'Form',
              name: 'details_form',
              children: [
                { type: 'TextBody', text: 'Text', 'font-weight': 'bold' },
                {
                  type: 'TextInput',
                  label: 'Label',
                  name: 'account_number',
                  required: '${data.is_account}',
                  'input-type': 'text',
                  visible: '${data.is_account}',
                },
                footer({ name: 'data_exchange', payload: { account_number: '${form.account_number}' } }),
              ],
            },
          ],
          { data: { is_account: { type: 'boolean', __example__: true } } },
        ),
        screenOf('COMPLETE', [footer(complete)], { terminal: true, data: {} }),
      ],
    },
  ],
  [
    'personalised offer',
    {
      version: '7.2',
      data_api_version: '3.0',
      routing_model: { OFFER: ['PRODUCT_DETAIL'] },
      screens: [
        screenOf(
          'OFFER',
          [
            {
              type: 'Form',
              name: 'offer_form',
              children: [
                {
                  type: 'RadioButtonsGroup',
                  label: '${data.offer_label}',
                  required: true,
                  name: 'devices',
                  'data-source': '${data.shortlisted_devices}',
                },
                {
                  ...footer({ name: 'data_exchange', payload: { device: '${form.devices}' } }),
                  label: '${data.cta_label}',
                },
              ],
            },
          ],
          {
            data: {
              offer_label: { type: 'string', __example__: 'Label' },
              cta_label: { type: 'string', __example__: 'Label' },
              shortlisted_devices: {
                type: 'array',
                items: { type: 'object', properties: { id: { type: 'string' }, title: { type: 'string' } } },
                __example__: [{ id: '0', title: 'Title' }],
              },
            },
          },
        ),
        screenOf('PRODUCT_DETAIL', [{ type: 'Image', src: '${data.image_src}' }, footer(complete)], {
          title: '${data.product_name}',
          terminal: true,
          data: {
            product_name: { type: 'string', __example__: 'Title' },
            image_src: { type: 'string', __example__: picture },
          },
        }),
      ],
    },
  ],
  [
    'nested expressions',
    {
      version: '7.2',
      screens: [
        screenOf(
          'EXPRESSIONS',
          [
            { type: 'TextInput', label: 'Label', name: 'first_name' },
            { type: 'TextInput', label: 'Label', name: 'last_name' },
            { type: 'TextInput', label: 'Label', name: 'age', 'input-type': 'number' },
            { type: 'OptIn', label: 'Label', name: 'accept' },
            { type: 'OptIn', label: 'Label', name: 'subscribe' },
            ...[
              '`${form.first_name} == ${form.last_name}`',
              '`${form.accept} != true`',
              '`${form.age} == 18`',
              '`${form.age} > 18`',
              '`${form.age} >= 18`',
              '`${form.accept} && ${form.subscribe}`',
              '`(${form.age} > 18) && ${form.accept}`',
              "`(${form.first_name} != '') || (${form.last_name} != '')`",
            ].map((visible) => ({ type: 'TextBody', text: 'Text', visible })),
            ...[
              "`'Text ' ${form.first_name}`",
              "`'Text ' (2024 - ${form.age}) ' text ' (2023 - ${form.age})`",
              "`'Text ' ${data.total} / ${form.age}`",
              "`'A text\\`s quote.'`",
            ].map((text) => ({ type: 'TextBody', text })),
            footer(complete),
          ],
          { terminal: true, data: { total: { type: 'number', __example__: 100 } } },
        ),
      ],
    },
  ],
  ...Object.entries(markdownOf).map(([type, text]): [string, Json] => [
    `Markdown in ${type}`,
    {
      version: '6.3',
      screens: [
        screenOf('TEXTS', [type === 'RichText' ? { type, text } : { type, markdown: true, text }, footer(complete)], {
          terminal: true,
        }),
      ],
    },
  ]),
  ...componentsOfJune,
];
