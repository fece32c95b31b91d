import {
  action,
  boolean,
  type ComponentRules,
  either,
  formatted,
  integer,
  list,
  map,
  number,
  object,
  oneOf,
  optional,
  type Properties,
  required,
  type Shape,
  string,
  text,
} from './shapes.ts';
import { weekdays } from './values.ts';

export const name = required(string, { literal: true });
export const visible = { visible: optional(boolean, { fallback: true }) };
const states = {
  required: optional(boolean),
  enabled: optional(boolean, { fallback: true }),
  ...visible,
};
const helperText = { 'helper-text': optional(text(80)) };
const largeLabel = { 'label-variant': optional(oneOf('large'), { since: '7.0' }) } as const;
const count = either(integer({ min: 0 }), formatted('digits'));
export const image = formatted('base64-image');
const errorMessage = optional(text(30));

const exchange = action({ data_exchange: '5.1' });
const exchangeOrUpdate = action({ data_exchange: '5.1', update_data: '6.0' });
const update = action({ update_data: '6.0' });
export const linkAction = action({ navigate: '5.1', data_exchange: '5.1', open_url: '6.0' });

const option = object({
  id: required(string),
  title: required(text(30)),
  description: optional(text(300)),
  metadata: optional(text(20)),
  enabled: optional(boolean, { fallback: true }),
  image: optional(image),
  'alt-text': optional(string),
  color: optional(formatted('color')),
  'on-select-action': optional(update, { since: '6.0' }),
  'on-unselect-action': optional(update, { since: '6.0' }),
});

const selection = {
  name,
  'on-select-action': optional(exchangeOrUpdate),
  'on-unselect-action': optional(update, { since: '6.0' }),
  ...states,
  'error-message': errorMessage,
};

const group = {
  ...selection,
  label: required(text(30)),
  description: optional(text(300)),
  'data-source': required(list(option, { min: 1, max: 20 })),
  'media-size': optional(oneOf('regular', 'large'), { fallback: 'regular' }),
};

const selectionLimits = {
  'min-selected-items': optional(integer({ min: 0 })),
  'max-selected-items': optional(integer({ min: 1 })),
};

const date = formatted('date');
const dateLimits = {
  'min-date': optional(date),
  'max-date': optional(date),
  'unavailable-dates': optional(list(date)),
};
const period = (shape: Shape) => either(shape, object({ 'start-date': optional(shape), 'end-date': optional(shape) }));
const periodOfStates = object({ 'start-date': optional(boolean), 'end-date': optional(boolean) });

/** The types of documents that phones upload (Meta's page "Media upload components"). */
const documentType = oneOf(
  'application/gzip',
  'application/msword',
  'application/pdf',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.oasis.opendocument.presentation',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.text',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/x-7z-compressed',
  'application/zip',
  'image/avif',
  'image/gif',
  'image/heic',
  'image/heif',
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/webp',
  'text/plain',
  'video/mp4',
  'video/mpeg',
);

const maxFileSizeKb = 25_600;
const maxFiles = 30;

const upload = (files: string): Properties => ({
  name,
  label: required(text(80)),
  description: optional(text(300)),
  'max-file-size-kb': optional(integer({ min: 1, max: maxFileSizeKb }), { fallback: maxFileSizeKb }),
  [`min-uploaded-${files}`]: optional(integer({ min: 0, max: maxFiles }), { fallback: 0 }),
  [`max-uploaded-${files}`]: optional(integer({ min: 1, max: maxFiles }), { fallback: maxFiles }),
  enabled: optional(boolean, { fallback: true }),
  ...visible,
  'error-message': optional(either(text(80), map)),
});

/** The components that users fill in. */
export const inputComponents: Readonly<Record<string, ComponentRules>> = {
  TextInput: {
    properties: {
      name,
      label: required(text(20)),
      ...largeLabel,
      'input-type': optional(oneOf('text', 'number', 'email', 'password', 'passcode', 'phone'), { fallback: 'text' }),
      pattern: optional(formatted('pattern'), { since: '6.2' }),
      'min-chars': optional(count),
      'max-chars': optional(count, { fallback: 80 }),
      ...helperText,
      ...states,
      'init-value': optional(either(string, number())),
      'error-message': errorMessage,
    },
  },
  TextArea: {
    properties: {
      name,
      label: required(text(20)),
      ...largeLabel,
      'max-length': optional(count, { fallback: 600 }),
      ...helperText,
      ...states,
      'init-value': optional(string),
      'error-message': errorMessage,
    },
  },
  CheckboxGroup: {
    properties: { ...group, ...selectionLimits, 'init-value': optional(list(string)) },
  },
  RadioButtonsGroup: {
    properties: { ...group, 'init-value': optional(either(string, list(string, { max: 1 }))) },
  },
  ChipsSelector: {
    since: '6.3',
    inBranches: '7.1',
    properties: {
      ...selection,
      label: required(text(80)),
      description: optional(text(300)),
      'data-source': required(list(option, { min: 2, max: 20 })),
      ...selectionLimits,
      'on-select-action': optional(action({ data_exchange: '6.3', update_data: '7.1' })),
      'on-unselect-action': optional(update, { since: '7.1' }),
      'init-value': optional(list(string)),
    },
  },
  Dropdown: {
    properties: {
      ...selection,
      label: required(text(20)),
      'data-source': required(list(option, { min: 1, max: 200 })),
      'init-value': optional(string),
    },
  },
  DatePicker: {
    properties: {
      name,
      label: required(text(40)),
      ...dateLimits,
      ...helperText,
      'on-select-action': optional(exchange),
      ...states,
      'init-value': optional(date),
      'error-message': optional(text(80)),
    },
  },
  CalendarPicker: {
    since: '6.1',
    properties: {
      name,
      mode: optional(oneOf('single', 'range'), { fallback: 'single' }),
      title: optional(text(80)),
      description: optional(text(300)),
      label: required(period(text(40))),
      'helper-text': optional(period(text(80))),
      ...dateLimits,
      'include-days': optional(list(oneOf(...weekdays))),
      'min-days': optional(integer({ min: 1 })),
      'max-days': optional(integer({ min: 1 })),
      'on-select-action': optional(exchange),
      ...states,
      required: optional(either(boolean, periodOfStates)),
      'init-value': optional(period(date)),
      'error-message': optional(period(text(80))),
    },
  },
  OptIn: {
    maxPerScreen: 5,
    properties: {
      name,
      label: required(text(120)),
      required: optional(boolean),
      'on-click-action': optional(linkAction),
      'on-select-action': optional(exchangeOrUpdate, { since: '6.0' }),
      'on-unselect-action': optional(update, { since: '6.0' }),
      ...visible,
      'init-value': optional(boolean),
    },
  },
  PhotoPicker: {
    maxPerScreen: 1,
    properties: {
      ...upload('photos'),
      'photo-source': optional(oneOf('camera_gallery', 'camera', 'gallery'), { fallback: 'camera_gallery' }),
    },
  },
  DocumentPicker: {
    maxPerScreen: 1,
    properties: { ...upload('documents'), 'allowed-mime-types': optional(list(documentType, { min: 1 })) },
  },
};
