import { dynamic } from './dynamic.ts';

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAKElEQVR4nGNkYPjPgA0wYRUFCrNgFWX4z4hDgomBaDtGJWilBCmJAQBhVwIPyq4h4gAAAABJRU5ErkJggg==';

const options = [
  { id: 'a', title: 'Apples', description: 'From the orchard behind the house', metadata: 'kg' },
  { id: 'b', title: 'Bananas', enabled: false },
  { id: 'c', title: 'Cherries', image: png, 'alt-text': 'A bowl of cherries' },
];
const colours = [
  { id: 'r', title: 'Red', color: '#cc0000', 'alt-text': 'red' },
  { id: 'g', title: 'Green', color: '#00aa00', 'alt-text': 'green' },
];
const link = { name: 'open_url', url: 'https://example.com/terms' };
const update = { name: 'update_data', payload: { shown: 'changed' } };
const next = { name: 'navigate', next: { type: 'screen', name: 'TextHeading' }, payload: {} };

/** Each component as it may stand on a screen, by the screen's name. */
export const gallery: Readonly<Record<string, readonly object[]>> = {
  TextHeading: [{ type: 'TextHeading', text: 'A heading' }],
  TextSubheading: [{ type: 'TextSubheading', text: 'A subheading' }],
  TextBody: [
    { type: 'TextBody', text: 'Bold and struck', 'font-weight': 'bold', strikethrough: true },
    { type: 'TextBody', text: ['**bold**, *italic*, ~~struck~~', '+ one', '+ two'], markdown: true },
  ],
  TextCaption: [{ type: 'TextCaption', text: 'A caption', 'font-weight': 'italic' }],
  RichText: [
    {
      type: 'RichText',
      text: [
        '# First',
        '## Second',
        'With **bold**, a [link](https://example.com) and',
        '1. one',
        '2. two',
        '',
        '| Fruit | Price |',
        '|---|---|',
        '| Apples | 2 |',
        `![a square](data:image/png;base64,${png})`,
      ],
    },
  ],
  TextInput: [
    { type: 'TextInput', name: 'plain', label: 'Plain', 'helper-text': 'As you like', required: true },
    { type: 'TextInput', name: 'mail', label: 'E-mail', 'input-type': 'email', 'init-value': 'ana@example.com' },
    { type: 'TextInput', name: 'code', label: 'Passcode', 'input-type': 'passcode', 'label-variant': 'large' },
    { type: 'TextInput', name: 'off', label: 'Switched off', enabled: false },
    { type: 'TextInput', name: 'wrong', label: 'Wrong', 'error-message': 'Not that' },
  ],
  TextArea: [{ type: 'TextArea', name: 'area', label: 'Wishes', 'max-length': 200, 'helper-text': 'In your words' }],
  CheckboxGroup: [
    {
      type: 'CheckboxGroup',
      name: 'many',
      label: 'Fruit',
      description: 'Choose what you like',
      'data-source': options,
      'min-selected-items': 1,
      'max-selected-items': 2,
      'init-value': ['a'],
    },
  ],
  RadioButtonsGroup: [
    { type: 'RadioButtonsGroup', name: 'one', label: 'Fruit', 'data-source': options, required: true },
    { type: 'RadioButtonsGroup', name: 'colour', label: 'Colour', 'data-source': colours, 'init-value': 'r' },
  ],
  ChipsSelector: [
    { type: 'ChipsSelector', name: 'chips', label: 'Fruit', 'data-source': options.slice(0, 2), 'init-value': ['a'] },
  ],
  Dropdown: [
    { type: 'Dropdown', name: 'drop', label: 'Fruit', 'data-source': options, 'init-value': 'c', required: true },
  ],
  DatePicker: [{ type: 'DatePicker', name: 'day', label: 'Day', 'min-date': '2026-01-01', 'helper-text': 'This year' }],
  CalendarPicker: [
    { type: 'CalendarPicker', name: 'single', label: 'Day', 'include-days': ['Mon', 'Tue'] },
    {
      type: 'CalendarPicker',
      name: 'range',
      mode: 'range',
      title: 'Your stay',
      description: 'At most two weeks',
      label: { 'start-date': 'Arrival', 'end-date': 'Departure' },
      'helper-text': { 'start-date': 'from 3 pm', 'end-date': 'until 11 am' },
      'init-value': { 'start-date': '2026-12-01', 'end-date': '2026-12-05' },
    },
  ],
  OptIn: [
    { type: 'OptIn', name: 'terms', label: 'I agree to the terms', required: true, 'on-click-action': link },
    { type: 'OptIn', name: 'news', label: 'Send me news', 'init-value': true },
  ],
  EmbeddedLink: [{ type: 'EmbeddedLink', text: 'Read the terms', 'on-click-action': link }],
  Footer: [
    { type: 'Footer', label: 'Continue', 'left-caption': 'left', 'right-caption': 'right', 'on-click-action': next },
  ],
  Image: [{ type: 'Image', src: png, width: 200, height: 120, 'scale-type': 'cover', 'alt-text': 'A square' }],
  ImageCarousel: [
    {
      type: 'ImageCarousel',
      images: [
        { src: png, 'alt-text': 'first' },
        { src: png, 'alt-text': 'second' },
      ],
      'scale-type': 'cover',
    },
  ],
  NavigationList: [
    {
      type: 'NavigationList',
      name: 'list',
      label: 'Offers',
      description: 'Of this week',
      'on-click-action': next,
      'list-items': [
        {
          id: '1',
          'main-content': { title: 'Apples', description: 'Crisp', metadata: 'From the orchard' },
          start: { image: png, 'alt-text': 'An apple' },
          end: { title: '$2', description: 'a kilo' },
          badge: 'New',
          tags: ['local', 'organic'],
        },
        { id: '2', 'main-content': { title: 'Pears' } },
      ],
    },
  ],
  PhotoPicker: [{ type: 'PhotoPicker', name: 'photos', label: 'Photos', 'min-uploaded-photos': 1 }],
  DocumentPicker: [
    {
      type: 'DocumentPicker',
      name: 'papers',
      label: 'Papers',
      description: 'Scanned on both sides',
      'allowed-mime-types': ['application/pdf', 'image/jpeg'],
      'max-file-size-kb': 1,
      'max-uploaded-documents': 2,
    },
  ],
  If: [
    { type: 'OptIn', name: 'more', label: 'Tell me more' },
    {
      type: 'If',
      condition: dynamic('form.more'),
      // biome-ignore lint/suspicious/noThenProperty: the name is Meta's, and nothing awaits this document.
      then: [{ type: 'TextBody', text: 'Here is more' }],
      else: [{ type: 'TextBody', text: 'Here is less' }],
    },
  ],
  Switch: [
    {
      type: 'RadioButtonsGroup',
      name: 'kind',
      label: 'Kind',
      'data-source': colours,
      'on-select-action': update,
    },
    {
      type: 'Switch',
      value: dynamic('form.kind'),
      cases: { r: [{ type: 'TextBody', text: 'It is red' }], g: [{ type: 'TextBody', text: 'It is green' }] },
    },
    { type: 'TextBody', text: dynamic('data.shown') },
  ],
  Form: [
    {
      type: 'Form',
      name: 'form',
      'init-values': { inside: 'from the form' },
      'error-messages': { inside: 'said by the form' },
      children: [{ type: 'TextInput', name: 'inside', label: 'Inside' }],
    },
  ],
  Unknown: [{ type: 'Hologram', label: 'Of tomorrow' }, { type: 'Image', src: 'no image' }, {}],
};

/** One Flow with a screen for each component. */
export const galleryFlow = {
  version: '7.3',
  screens: Object.entries(gallery).map(([id, children]) => ({
    id,
    title: id,
    terminal: true,
    data: { shown: { type: 'string', __example__: 'as it was' } },
    layout: { type: 'SingleColumnLayout', children },
  })),
};
