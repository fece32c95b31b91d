import { componentTable } from './components.ts';
import type { Property, Shape } from './shapes.ts';

/**
 * The limits of a whole Flow JSON (Meta's page "Flow JSON"). How often a component may occur, and how long its texts may
 * be, is in the component table.
 */
export const maxBytes = 10 * 1024 * 1024;
export const maxScreens = 100;
export const maxComponentsPerScreen = 50;
export const maxIfNesting = 3;
/** The screens that one screen may lead to. */
export const maxRoutesPerScreen = 10;
export const maxDropdownOptionsWithImages = 100;
/** The size of an option's image, which 6.0 lowered. */
export const maxOptionImageKilobytes = 100;
export const maxOptionImageKilobytesBefore6 = 300;

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

function limitsOfAll(properties: Readonly<Record<string, Property>>): PropertyLimits {
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
