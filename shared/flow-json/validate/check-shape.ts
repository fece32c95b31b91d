import { isNested, parseReference } from '#shared/flow-json/document/expression.ts';
import { compilePattern, PatternError } from '#shared/flow-json/document/pattern.ts';
import { imageDataUrl, isColor, isDay, parseWebAddress } from '#shared/flow-json/document/values.ts';
import { isAtLeast, type Version } from '#shared/flow-json/document/versions.ts';
import { rulesOf } from '../document/components.ts';
import { actionShapes } from '../document/document-properties.ts';
import {
  type ActionName,
  type AllowedActions,
  actionNames,
  components,
  type Format,
  isRequired,
  type ListShape,
  lookUp,
  type Properties,
  type Property,
  type Shape,
  type StringShape,
} from '../document/shapes.ts';
import { excerpt, listed, type Report } from './findings.ts';
import type { Located } from './flow-source.ts';

/** The name that messages use for the JSON type of each kind. */
const typeNames = {
  any: undefined,
  either: undefined,
  string: 'string',
  boolean: 'boolean',
  number: 'number',
  list: 'array',
  components: 'array',
  object: 'object',
  map: 'object',
  action: 'object',
  cases: 'object',
} as const;

/** Kinds that are never written as `${…}`. */
const staticKinds: readonly Shape['kind'][] = ['action', 'components', 'cases'];

const typeProperty: Property = { shape: { kind: 'string' }, literal: true };

/** Checks values against the shapes of the tables: names, types, values, formats, numbers. */
export class ShapeChecker {
  readonly #version: Version;
  readonly #report: Report;

  constructor(version: Version, report: Report) {
    this.#version = version;
    this.#report = report;
  }

  /** @param owner what messages call the object, such as `'Footer' component` */
  checkObject(node: Located, properties: Properties, owner: string): void {
    for (const { name, key, value } of node.members()) {
      const property = lookUp(properties, name);
      if (property === undefined || !isAtLeast(this.#version, property.since ?? this.#version)) {
        this.#report.error('INVALID_PROPERTY_KEY', `Property '${excerpt(name)}' is not allowed in ${owner}.`, key);
      } else {
        this.#checkProperty(value, name, property);
      }
    }
    for (const [name, property] of Object.entries(properties)) {
      if (isRequired(property, this.#version) && node.member(name) === undefined) {
        this.#report.error('MISSING_REQUIRED_PROPERTY', `Required property '${name}' is missing.`, node);
      }
    }
  }

  #checkComponent(node: Located): void {
    if (node.type !== 'object') {
      this.#wrongType(node, 'component', 'object');
      return;
    }
    const type = node.member('type');
    if (type === undefined) {
      this.#report.error('MISSING_REQUIRED_TYPE_PROPERTY', "Required property 'type' is missing.", node);
      return;
    }
    const rules = type.string === undefined ? undefined : rulesOf(type.string);
    if (rules === undefined || !isAtLeast(this.#version, rules.since ?? this.#version)) {
      this.#report.error('INVALID_PROPERTY_VALUE', "Invalid value found for property 'type'.", type);
      return;
    }
    const properties = { type: typeProperty, ...rules.properties };
    this.checkObject(node, properties, `'${type.string}' component`);
  }

  #checkProperty(value: Located, name: string, property: Property): void {
    const { shape } = property;
    const mayBeDynamic = property.literal !== true && !staticKinds.includes(shape.kind);
    if (mayBeDynamic && this.#isDynamic(value)) return;
    this.#checkValue(value, name, shape, property.faultCode);
    if (isRequired(property, this.#version) && value.string !== undefined)
      this.#checkNotBlank(value, value.string, name);
  }

  #isDynamic({ string }: Located): boolean {
    return string !== undefined && isDynamic(string, this.#version);
  }

  #checkNotBlank(value: Located, text: string, name: string): void {
    const mayBeSpaces = name !== 'title' && !isAtLeast(this.#version, '6.0');
    const isBlank = mayBeSpaces ? text === '' : !/\S/.test(text);
    if (isBlank) {
      this.#report.error('MIN_CHARS_REQUIRED', `Property '${name}' should not be blank or an empty string.`, value);
    }
  }

  #checkValue(value: Located, name: string, shape: Shape, faultCode?: string): void {
    if (shape.kind === 'either') {
      const fitting = shape.shapes.find((candidate) => typeNames[candidate.kind] === value.type) ?? shape.shapes[0];
      if (fitting !== undefined) this.#checkValue(value, name, fitting, faultCode);
      return;
    }
    const expected = typeNames[shape.kind];
    if (expected !== undefined && value.type !== expected) {
      this.#wrongType(value, name, expected, faultCode);
      return;
    }
    switch (shape.kind) {
      case 'string':
        this.#checkString(value, name, shape, faultCode);
        break;
      case 'number':
        this.#checkNumber(value, name, shape);
        break;
      case 'list':
        this.#checkList(value, name, shape);
        break;
      case 'object':
        this.checkObject(value, shape.properties, `property '${name}'`);
        break;
      case 'action':
        this.#checkAction(value, shape.actions);
        break;
      case 'components':
        for (const component of value.items()) this.#checkComponent(component);
        break;
      case 'cases':
        for (const branch of value.members()) this.#checkValue(branch.value, branch.name, components);
        break;
    }
  }

  #wrongType(value: Located, name: string, expected: string, code = 'INVALID_PROPERTY_TYPE'): void {
    const message = `Expected property '${excerpt(name)}' to be of type '${expected}' but found '${value.type}'.`;
    this.#report.error(code, message, value);
  }

  #checkString(
    value: Located,
    name: string,
    { values, maxChars, format }: StringShape,
    code = 'INVALID_ENUM_VALUE',
  ): void {
    const text = value.string ?? '';
    if (values !== undefined && !values.includes(text)) {
      this.#report.error(code, `Value should be one of: [${values.join(', ')}].`, value);
    }
    if (maxChars !== undefined && text.length > maxChars) {
      const message = `Property '${name}' has ${text.length} characters; phones show ${maxChars}.`;
      this.#report.warning('TEXT_TOO_LONG', message, value);
    }
    if (format !== undefined) this.#checkFormat(value, text, name, format);
  }

  #checkFormat(value: Located, text: string, name: string, format: Format): void {
    const { written, matches, isLenient, faultCode = 'INVALID_PROPERTY_VALUE_FORMAT' } = formats[format];
    if (matches(text)) return;
    const message = `Property '${name}' should be in '${written}' format.`;
    if (isLenient) this.#report.warning(faultCode, message, value);
    else this.#report.error(faultCode, message, value);
  }

  #checkNumber(value: Located, name: string, shape: Shape & { kind: 'number' }): void {
    const number = value.number ?? 0;
    const { integer, min, max } = shape;
    if (integer && !Number.isInteger(number)) {
      this.#wrongType(value, name, 'integer');
    } else if (min !== undefined && number < min) {
      const message = `The minimum value allowed for property '${name}' is ${min}.`;
      this.#report.error('MINIMUM_VALUE_REQUIRED', message, value);
    } else if (max !== undefined && number > max) {
      const message = `The maximum value allowed for property '${name}' is ${max}.`;
      this.#report.error('MAXIMUM_VALUE_REQUIRED', message, value);
    }
  }

  #checkList(value: Located, name: string, { items, min, max }: ListShape): void {
    const elements = value.items();
    if (min !== undefined && elements.length < min) {
      this.#report.error('MIN_ITEMS_REQUIRED', `Property '${name}' should have at least '${min}' items.`, value);
    }
    if (max !== undefined && elements.length > max) {
      this.#report.error('MAX_ITEMS_REQUIRED', `Property '${name}' should have at most '${max}' items.`, value);
    }
    for (const element of elements) if (!this.#isDynamic(element)) this.#checkValue(element, name, items);
  }

  #checkAction(node: Located, allowed: AllowedActions): void {
    const name = node.member('name');
    if (name === undefined) {
      this.#report.error('MISSING_REQUIRED_PROPERTY', "Required property 'name' is missing.", node);
      return;
    }
    const actionName = actionNames.find((action) => action === name.string);
    if (actionName === undefined || !this.#isAllowed(actionName, allowed)) {
      const expected = listed(actionNames.filter((action) => this.#isAllowed(action, allowed)));
      this.#report.error('INVALID_ENUM_VALUE', `Value should be one of: ${expected}.`, name);
      return;
    }
    this.checkObject(node, actionShapes[actionName].properties, `'${actionName}' action`);
  }

  #isAllowed(action: ActionName, allowed: AllowedActions): boolean {
    const since = allowed[action];
    return since !== undefined && isAtLeast(this.#version, since);
  }
}

/** Returns whether a text is a dynamic value, in a form that the version supports. */
export function isDynamic(value: string, version: Version): boolean {
  return parseReference(value) !== undefined || (isAtLeast(version, '6.0') && isNested(value));
}

export interface FormatRules {
  /** The name of the format in messages. */
  readonly written: string;
  readonly matches: (text: string) => boolean;
  /** A text of the wrong format is only a warning: the upstream accepts it. */
  readonly isLenient?: true;
  /** Meta's code for a text of the wrong format, where it differs from the general one. */
  readonly faultCode?: string;
}

export const formats: Readonly<Record<Format, FormatRules>> = {
  'base64-image': { written: 'base64', matches: (text) => imageDataUrl(text) !== undefined, isLenient: true },
  color: { written: '#RRGGBB', matches: isColor },
  date: {
    written: 'YYYY-MM-DD',
    // Endpoints send an empty text if there is no date.
    matches: (text) => text === '' || isDay(text),
  },
  digits: { written: 'number', matches: (text) => /^\d{1,9}$/.test(text), faultCode: 'PATTERN_MISMATCH' },
  // A pattern that is not supported here may still be valid on phones.
  pattern: { written: 'regex', matches: (text) => patternFault(text)?.isUnsupported ?? true },
  uri: { written: 'uri', matches: (text) => parseWebAddress(text) !== undefined },
};

/**
 * What is wrong with a pattern, or not supported by previews: they run patterns from strangers, so they support only
 * what needs no backtracking.
 */
export function patternFault(source: string): PatternError | undefined {
  try {
    compilePattern(source);
    return undefined;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return error;
  }
}
