import type { JsonValue } from '../document/values/json-value.ts';
import { excerpt, type Place } from './findings.ts';
import type { JsonNode } from './parse-with-positions.ts';

export type JsonTypeName = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object';

export interface LocatedMember {
  readonly name: string;
  readonly key: Place;
  readonly value: Located;
}

/** A value of the document that knows its place in the text. */
export class Located implements JsonValue<Located>, Place {
  readonly start: number;
  readonly end: number;
  readonly path: string;
  readonly value: JsonNode['value'];

  constructor(node: JsonNode, path = '') {
    this.start = node.start;
    this.end = node.end;
    this.value = node.value;
    this.path = path;
  }

  get type(): JsonTypeName {
    if (this.value === null) return 'null';
    if (this.isObject) return 'object';
    if (typeof this.value === 'object') return 'array';
    return typeof this.value as 'string' | 'number' | 'boolean';
  }

  get string(): string | undefined {
    return typeof this.value === 'string' ? this.value : undefined;
  }

  get number(): number | undefined {
    return typeof this.value === 'number' ? this.value : undefined;
  }

  get isObject(): boolean {
    return this.value instanceof Map;
  }

  member(name: string): Located | undefined {
    const found = this.value instanceof Map ? this.value.get(name) : undefined;
    return found && new Located(found.node, this.#pathOf(name));
  }

  members(): LocatedMember[] {
    if (!(this.value instanceof Map)) return [];
    return [...this.value].map(([name, { key, node }]) => {
      const path = this.#pathOf(name);
      return { name, key: { start: key.start, end: key.end, path }, value: new Located(node, path) };
    });
  }

  names(): string[] {
    return this.value instanceof Map ? [...this.value.keys()] : [];
  }

  items(): Located[] {
    if (!Array.isArray(this.value)) return [];
    return this.value.map((node, index) => new Located(node, `${this.path}[${index}]`));
  }

  #pathOf(name: string): string {
    return this.path === '' ? excerpt(name) : `${this.path}.${excerpt(name)}`;
  }
}
