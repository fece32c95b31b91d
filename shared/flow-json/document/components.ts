import {
  action,
  boolean,
  cases,
  components,
  either,
  formatted,
  integer,
  list,
  lookUp,
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
import type { Version } from './versions.ts';

export interface ComponentRules {
  /** Absent for a component that all publishable versions have. */
  readonly since?: Version;
  readonly properties: Properties;
  /** Of the branches of an If or a Switch, only the fullest is counted. */
  readonly maxPerScreen?: number;
  readonly maxPerScreenSince?: Version;
  readonly maxPerFlow?: number;
  /** Since when it may be in an If or a Switch, `false` for never, or not documented by Meta; absent for always. */
  readonly inBranches?: false | Version | 'undocumented';
}

const name = required(string, { literal: true });
const visible = { visible: optional(boolean, { fallback: true }) };
const states = {
  required: optional(boolean),
  enabled: optional(boolean, { fallback: true }),
  ...visible,
};
const helperText = { 'helper-text': optional(text(80)) };
const largeLabel = { 'label-variant': optional(oneOf('large'), { since: '7.0' }) } as const;
const count = either(integer({ min: 0 }), formatted('digits'));
const aspectRatio = number({ min: 0 });
const image = formatted('base64-image');
const errorMessage = optional(text(30));

const exchange = action({ data_exchange: '5.1' });
const exchangeOrUpdate = action({ data_exchange: '5.1', update_data: '6.0' });
const update = action({ update_data: '6.0' });
const linkAction = action({ navigate: '5.1', data_exchange: '5.1', open_url: '6.0' });

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

const group = {
  name,
  label: required(text(30)),
  description: optional(text(300)),
  'data-source': required(list(option, { min: 1, max: 20 })),
  'media-size': optional(oneOf('regular', 'large'), { fallback: 'regular' }),
  'on-select-action': optional(exchangeOrUpdate),
  'on-unselect-action': optional(update, { since: '6.0' }),
  ...states,
  'error-message': errorMessage,
} as const;

const selectionLimits = {
  'min-selected-items': optional(integer({ min: 0 })),
  'max-selected-items': optional(integer({ min: 1 })),
};

const fontWeight = optional(oneOf('bold', 'italic', 'bold_italic', 'normal'), { fallback: 'normal' });
const markedUp = (maxChars: number): Properties => ({
  text: required(either(text(maxChars), list(text(maxChars), { min: 1 }))),
  'font-weight': fontWeight,
  strikethrough: optional(boolean, { fallback: false }),
  markdown: optional(boolean, { fallback: false }),
  ...visible,
});

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

/**
 * Every public component (Meta's page "Components"). The validator, the preview and `docs/flow-json.md` all read this
 * table. Text lengths are what phones show: they cut longer texts and do not reject them.
 */
export const componentTable: Readonly<Record<string, ComponentRules>> = {
  TextHeading: { properties: { text: required(text(80)), ...visible } },
  TextSubheading: { properties: { text: required(text(80)), ...visible } },
  TextBody: { properties: markedUp(4096) },
  TextCaption: { properties: markedUp(409) },
  RichText: {
    inBranches: false,
    maxPerScreen: 1,
    properties: { text: required(either(string, list(string, { min: 1 }))), ...visible },
  },
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
      name,
      label: required(text(80)),
      description: optional(text(300)),
      'data-source': required(list(option, { min: 2, max: 20 })),
      ...selectionLimits,
      'on-select-action': optional(action({ data_exchange: '6.3', update_data: '7.1' })),
      'on-unselect-action': optional(update, { since: '7.1' }),
      ...states,
      'init-value': optional(list(string)),
      'error-message': errorMessage,
    },
  },
  Dropdown: {
    properties: {
      name,
      label: required(text(20)),
      'data-source': required(list(option, { min: 1, max: 200 })),
      'on-select-action': optional(exchangeOrUpdate),
      'on-unselect-action': optional(update, { since: '6.0' }),
      ...states,
      'init-value': optional(string),
      'error-message': errorMessage,
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
    inBranches: 'undocumented',
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
  EmbeddedLink: {
    maxPerScreen: 2,
    properties: { text: required(text(25)), 'on-click-action': required(linkAction), ...visible },
  },
  Footer: {
    maxPerScreen: 1,
    properties: {
      label: required(text(35)),
      'on-click-action': required(action({ navigate: '5.1', data_exchange: '5.1', complete: '5.1' })),
      'left-caption': optional(text(15)),
      'center-caption': optional(text(15)),
      'right-caption': optional(text(15)),
      enabled: optional(boolean, { fallback: true }),
    },
  },
  Image: {
    maxPerScreen: 3,
    properties: {
      src: required(image),
      width: optional(number({ min: 0 })),
      height: optional(number({ min: 0 })),
      'scale-type': optional(oneOf('contain', 'cover'), { fallback: 'contain' }),
      'aspect-ratio': optional(aspectRatio, { fallback: 1 }),
      'alt-text': optional(string),
      ...visible,
    },
  },
  ImageCarousel: {
    since: '7.1',
    inBranches: 'undocumented',
    maxPerScreen: 2,
    maxPerFlow: 3,
    properties: {
      images: required(list(object({ src: required(image), 'alt-text': required(string) }), { min: 1, max: 3 })),
      'aspect-ratio': optional(oneOf('4:3', '16:9'), { fallback: '4:3' }),
      'scale-type': optional(oneOf('contain', 'cover'), { fallback: 'contain' }),
      ...visible,
    },
  },
  NavigationList: {
    since: '6.2',
    inBranches: false,
    maxPerScreen: 2,
    properties: {
      name,
      label: optional(text(80)),
      description: optional(text(300)),
      'media-size': optional(oneOf('regular', 'large'), { fallback: 'regular' }),
      'on-click-action': optional(action({ navigate: '6.2', data_exchange: '6.2' })),
      'list-items': required(
        list(
          object({
            id: required(string),
            'main-content': required(
              object({
                title: required(text(30)),
                description: optional(text(20)),
                metadata: optional(text(80)),
              }),
            ),
            start: optional(object({ image: required(image), 'alt-text': optional(string) })),
            end: optional(
              object({
                title: optional(text(10)),
                description: optional(text(10)),
                metadata: optional(text(10)),
              }),
            ),
            badge: optional(text(15)),
            tags: optional(list(text(15), { max: 3 })),
            'on-click-action': optional(action({ navigate: '6.2', data_exchange: '6.2' })),
          }),
          { min: 1, max: 20 },
        ),
      ),
    },
  },
  PhotoPicker: {
    inBranches: 'undocumented',
    maxPerScreen: 1,
    properties: {
      ...upload('photos'),
      'photo-source': optional(oneOf('camera_gallery', 'camera', 'gallery'), { fallback: 'camera_gallery' }),
    },
  },
  DocumentPicker: {
    inBranches: 'undocumented',
    maxPerScreen: 1,
    properties: { ...upload('documents'), 'allowed-mime-types': optional(list(documentType, { min: 1 })) },
  },
  If: {
    properties: {
      condition: required(string, { literal: true }),
      // biome-ignore lint/suspicious/noThenProperty: the name is Meta's, and nothing awaits this table.
      then: required(components),
      else: optional(components),
    },
  },
  Switch: {
    properties: { value: required(string), cases: required(cases) },
  },
  Form: {
    inBranches: false,
    maxPerScreen: 1,
    maxPerScreenSince: '7.0',
    properties: {
      name,
      children: required(components),
      'init-values': optional(map),
      'error-messages': optional(map),
    },
  },
};

export function rulesOf(type: string): ComponentRules | undefined {
  return lookUp(componentTable, type);
}

/** What an input holds: a `period` is a date or an object with two dates, `media` is a list of uploaded files. */
export type InputKind = 'string' | 'strings' | 'boolean' | 'period' | 'media';

const inputKinds: Readonly<Record<string, InputKind>> = {
  TextInput: 'string',
  TextArea: 'string',
  CheckboxGroup: 'strings',
  RadioButtonsGroup: 'string',
  ChipsSelector: 'strings',
  Dropdown: 'string',
  DatePicker: 'string',
  CalendarPicker: 'period',
  OptIn: 'boolean',
  PhotoPicker: 'media',
  DocumentPicker: 'media',
};

/** Undefined for a component that is not an input. */
export function inputKindOf(type: string): InputKind | undefined {
  return lookUp(inputKinds, type);
}

/** The values of a TextInput's `input-type` that allow a `pattern`. */
export const inputTypesWithPattern: readonly string[] = ['text', 'number', 'password', 'passcode'];
