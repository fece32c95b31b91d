// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how Flow JSON writes dynamic values.

import type { Version } from '#shared/flow-json/document/versions.ts';
import { complete, exampleData, exchange, flow, flowWith, type Json, screen, step, update } from './flow-json.ts';

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
