import { image, inputComponents, linkAction, name, visible } from './input-components.ts';
import {
  action,
  boolean,
  type ComponentRules,
  cases,
  components,
  either,
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

const fontWeight = optional(oneOf('bold', 'italic', 'bold_italic', 'normal'), { fallback: 'normal' });
const markedUp = (maxChars: number): Properties => ({
  text: required(either(text(maxChars), list(text(maxChars), { min: 1 }))),
  'font-weight': fontWeight,
  strikethrough: optional(boolean, { fallback: false }),
  markdown: optional(boolean, { fallback: false }),
  ...visible,
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
  ...inputComponents,
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
      'aspect-ratio': optional(number({ min: 0 }), { fallback: 1 }),
      'alt-text': optional(string),
      ...visible,
    },
  },
  ImageCarousel: {
    since: '7.1',
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

/** The limits of every component, by type and property. */
export type ComponentLimits = Readonly<Record<string, PropertyLimits>>;

export type PropertyLimits = Readonly<Record<string, ValueLimits>>;

/** How much of a value phones show. */
export interface ValueLimits {
  /** The characters of a text, or of each text in a list. */
  readonly maxChars?: number;
  readonly maxItems?: number;
  /** The limits of an object's members, or of those of each object in a list. */
  readonly members?: PropertyLimits;
  /** For a property that is a limit itself, such as `max-chars`: the limit that holds without it. */
  readonly fallback?: number;
}

/** The limits in the component table. The preview page gets these and not the whole table, which is much larger. */
export const componentLimits: ComponentLimits = Object.fromEntries(
  Object.entries(componentTable).map(([type, { properties }]) => [type, limitsOfAll(properties)]),
);

function limitsOfAll(properties: Properties): PropertyLimits {
  const limits = Object.entries(properties).map(([name, { shape, fallback }]): [string, ValueLimits] => {
    const isLimit = /^(?:min|max)-/.test(name) && typeof fallback === 'number';
    return [name, { ...limitsOf(shape), ...(isLimit && { fallback }) }];
  });
  return Object.fromEntries(limits.filter(([, limit]) => Object.keys(limit).length > 0));
}

function limitsOf(shape: Shape): ValueLimits {
  switch (shape.kind) {
    case 'string':
      return shape.maxChars === undefined ? {} : { maxChars: shape.maxChars };
    case 'list':
      return { ...limitsOf(shape.items), ...(shape.max !== undefined && { maxItems: shape.max }) };
    case 'object': {
      const members = limitsOfAll(shape.properties);
      return Object.keys(members).length === 0 ? {} : { members };
    }
    case 'either':
      return Object.assign({}, ...shape.shapes.map(limitsOf));
    default:
      return {};
  }
}
