// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how Flow JSON writes dynamic values.

import type { Version } from '#shared/flow-json/document/versions.ts';
import { validateFlowJson } from '#shared/flow-json/validate/validate.ts';

export type Json = Record<string, unknown>;

export const navigateTo = (name: string, payload: Json = {}): Json => ({
  name: 'navigate',
  next: { type: 'screen', name },
  payload,
});
export const complete: Json = { name: 'complete', payload: {} };
export const exchange: Json = { name: 'data_exchange', payload: { step: 'next' } };
export const update = (payload: Json = { note: 'chosen' }): Json => ({ name: 'update_data', payload });

export const footer = (action: Json = complete): Json => ({
  type: 'Footer',
  label: 'Continue',
  'on-click-action': action,
});

/** A terminal screen. Adds a Footer if its top level has none. */
export function screen(id: string, children: Json[] = [], changes: Json = {}): Json {
  const hasFooter = children.some(({ type }) => type === 'Footer');
  return {
    id,
    title: 'Title',
    terminal: true,
    layout: { type: 'SingleColumnLayout', children: hasFooter ? children : [...children, footer()] },
    ...changes,
  };
}

/** A screen that leads to another one through its Footer. */
export function step(id: string, children: Json[], changes: Json = {}): Json {
  return { ...screen(id, children, changes), terminal: false };
}

export function flow(screens: unknown[], changes: Json = {}): Json {
  return { version: '7.3', screens, ...changes };
}

/** A Flow of one screen, which exchanges data with an endpoint and declares every kind of data. */
export function flowWith(children: Json[], changes: Json = {}, version: Version = '7.3'): Json {
  return flow([screen('MAIN', children, { data: exampleData, ...changes })], {
    version,
    data_api_version: '3.0',
    routing_model: { MAIN: [] },
  });
}

export const exampleData: Json = {
  note: { type: 'string', __example__: 'A note' },
  amount: { type: 'number', __example__: 12.5 },
  shown: { type: 'boolean', __example__: true },
  person: { type: 'object', properties: { name: { type: 'string' } }, __example__: { name: 'Ada' } },
  options: {
    type: 'array',
    items: { type: 'object', properties: { id: { type: 'string' }, title: { type: 'string' } } },
    __example__: [{ id: 'a', title: 'A' }],
  },
};

export const toText = (json: unknown): string => (typeof json === 'string' ? json : JSON.stringify(json, null, 2));

export function errorsOf(json: unknown): string[] {
  return validateFlowJson(toText(json)).errors.map(({ error }) => error);
}

export function warningsOf(json: unknown): string[] {
  return validateFlowJson(toText(json)).warnings.map(({ error }) => error);
}

/** Each error as its code and the text at its position. */
export function pointedAt(json: unknown): [code: string, text: string][] {
  const text = toText(json);
  const lines = text.split('\n');
  return validateFlowJson(text).errors.map((finding) => {
    const { error, line_start, line_end, column_start, column_end } = finding;
    const covered = lines.slice(line_start - 1, line_end);
    const last = covered.length - 1;
    covered[last] = (covered[last] ?? '').slice(0, column_end - 1);
    covered[0] = (covered[0] ?? '').slice(column_start - 1);
    return [error, covered.join('\n')];
  });
}

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const states = { required: '${data.shown}', enabled: true, visible: '`${data.amount} > 1`' };
const options = [
  { id: 'red', title: 'Red', description: 'Warm', metadata: '1', enabled: true, color: '#FF0000', 'alt-text': 'red' },
  { id: 'blue', title: 'Blue' },
];
const group = {
  label: 'Colours',
  description: 'The ones you like',
  'data-source': options,
  'on-select-action': update(),
  'on-unselect-action': update(),
  ...states,
  'error-message': 'Choose',
};

/** Every component with every property, none of them wrong in version 7.3. */
export const examples: Readonly<Record<string, Json>> = {
  TextHeading: { type: 'TextHeading', text: 'Welcome', visible: true },
  TextSubheading: { type: 'TextSubheading', text: '${data.note}', visible: true },
  TextBody: {
    type: 'TextBody',
    text: ['One', 'Two'],
    'font-weight': 'bold',
    strikethrough: false,
    markdown: true,
    visible: true,
  },
  TextCaption: {
    type: 'TextCaption',
    text: "`'Hello ' ${data.person.name}`",
    'font-weight': 'italic',
    strikethrough: true,
    markdown: false,
    visible: true,
  },
  RichText: { type: 'RichText', text: ['# Terms', 'Be **kind**.'], visible: true },
  TextInput: {
    type: 'TextInput',
    name: 'surname',
    label: 'Surname',
    'label-variant': 'large',
    'input-type': 'text',
    pattern: '[A-Z][a-z]+',
    'min-chars': 2,
    'max-chars': '40',
    'helper-text': 'As in your passport',
    ...states,
    'init-value': 'Lovelace',
    'error-message': 'Try again',
  },
  TextArea: {
    type: 'TextArea',
    name: 'story',
    label: 'Story',
    'label-variant': 'large',
    'max-length': 300,
    'helper-text': 'Be brief',
    ...states,
    'init-value': '',
    'error-message': 'Try again',
  },
  CheckboxGroup: {
    type: 'CheckboxGroup',
    name: 'colours',
    ...group,
    'media-size': 'large',
    'min-selected-items': 1,
    'max-selected-items': 2,
    'init-value': ['red'],
  },
  RadioButtonsGroup: {
    type: 'RadioButtonsGroup',
    name: 'colour',
    ...group,
    'media-size': 'regular',
    'init-value': 'red',
  },
  ChipsSelector: {
    type: 'ChipsSelector',
    name: 'tags',
    ...group,
    'min-selected-items': 0,
    'max-selected-items': 2,
    'init-value': ['red'],
  },
  Dropdown: {
    type: 'Dropdown',
    name: 'place',
    label: 'Place',
    'data-source': '${data.options}',
    'on-select-action': exchange,
    'on-unselect-action': update(),
    ...states,
    'init-value': 'a',
    'error-message': 'Choose',
  },
  DatePicker: {
    type: 'DatePicker',
    name: 'day',
    label: 'Day',
    'min-date': '2026-01-01',
    'max-date': '2026-12-31',
    'unavailable-dates': ['2026-05-01'],
    'helper-text': 'Any day',
    'on-select-action': exchange,
    ...states,
    'init-value': '2026-02-03',
    'error-message': 'Another day',
  },
  CalendarPicker: {
    type: 'CalendarPicker',
    name: 'stay',
    mode: 'range',
    title: 'Your stay',
    description: 'From Monday on',
    label: { 'start-date': 'From', 'end-date': 'To' },
    'helper-text': { 'start-date': 'First day', 'end-date': 'Last day' },
    'min-date': '2026-01-01',
    'max-date': '2026-12-31',
    'unavailable-dates': ['2026-05-01'],
    'include-days': ['Mon', 'Tue'],
    'min-days': 2,
    'max-days': 14,
    'on-select-action': exchange,
    ...states,
    required: { 'start-date': true, 'end-date': false },
    'init-value': { 'start-date': '2026-02-02', 'end-date': '2026-02-09' },
    'error-message': { 'start-date': 'Too early', 'end-date': 'Too late' },
  },
  OptIn: {
    type: 'OptIn',
    name: 'terms',
    label: 'I agree',
    required: true,
    'on-click-action': { name: 'open_url', url: 'https://example.com/terms' },
    'on-select-action': update(),
    'on-unselect-action': update(),
    visible: true,
    'init-value': false,
  },
  EmbeddedLink: { type: 'EmbeddedLink', text: 'More', 'on-click-action': exchange, visible: true },
  Footer: {
    type: 'Footer',
    label: 'Send',
    'on-click-action': complete,
    'left-caption': 'Left',
    'right-caption': 'Right',
    enabled: '`${data.amount} != 0`',
  },
  Image: {
    type: 'Image',
    src: png,
    width: 100,
    height: 50,
    'scale-type': 'cover',
    'aspect-ratio': 1.5,
    'alt-text': 'A dot',
    visible: true,
  },
  ImageCarousel: {
    type: 'ImageCarousel',
    images: [{ src: png, 'alt-text': 'A dot' }],
    'aspect-ratio': '16:9',
    'scale-type': 'contain',
    visible: true,
  },
  NavigationList: {
    type: 'NavigationList',
    name: 'menu',
    label: 'Menu',
    description: 'What we do',
    'media-size': 'regular',
    'list-items': [
      {
        id: 'first',
        'main-content': { title: 'First', description: 'The best', metadata: 'New' },
        start: { image: png, 'alt-text': 'A dot' },
        end: { title: '10', description: 'each', metadata: 'net' },
        badge: 'New',
        tags: ['a', 'b'],
        'on-click-action': exchange,
      },
    ],
  },
  PhotoPicker: {
    type: 'PhotoPicker',
    name: 'photos',
    label: 'Photos',
    description: 'Of the damage',
    'photo-source': 'camera',
    'max-file-size-kb': 1024,
    'min-uploaded-photos': 1,
    'max-uploaded-photos': 3,
    enabled: true,
    visible: true,
    'error-message': 'Too large',
  },
  DocumentPicker: {
    type: 'DocumentPicker',
    name: 'documents',
    label: 'Documents',
    description: 'Of the car',
    'max-file-size-kb': 1024,
    'min-uploaded-documents': 0,
    'max-uploaded-documents': 3,
    'allowed-mime-types': ['application/pdf'],
    enabled: true,
    visible: true,
    'error-message': { one: 'Too large' },
  },
  If: {
    type: 'If',
    condition: "${data.amount} > 10 && ${data.note} == 'A note'",
    // biome-ignore lint/suspicious/noThenProperty: the name is Meta's.
    then: [{ type: 'TextBody', text: 'Much' }],
    else: [{ type: 'TextBody', text: 'Little' }],
  },
  Switch: {
    type: 'Switch',
    value: '${data.note}',
    cases: { yes: [{ type: 'TextBody', text: 'Yes' }], no: [] },
  },
  Form: {
    type: 'Form',
    name: 'form',
    children: [{ type: 'TextInput', name: 'city', label: 'City' }],
    'init-values': { city: 'Turin' },
    'error-messages': { city: 'Unknown' },
  },
};

/** The example of an If, with other branches. */
export function ifElse(shown: unknown[], otherwise?: unknown[]): Json {
  // biome-ignore lint/suspicious/noThenProperty: the name is Meta's.
  return { ...examples.If, then: shown, else: otherwise };
}

/** A valid Flow around one component. If the component must be alone on its screen, it is. */
export function flowAround(component: Json, version: Version = '7.3'): Json {
  if (component.type !== 'NavigationList') return flowWith([component], {}, version);
  const list = { ...step('MAIN', [component]), layout: { type: 'SingleColumnLayout', children: [component] } };
  return flow([{ ...list, data: exampleData }, screen('END')], {
    version,
    data_api_version: '3.0',
    routing_model: { MAIN: ['END'] },
  });
}
