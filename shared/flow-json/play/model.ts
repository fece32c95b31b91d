import { isObject, type JsonObject, listOf, own, textOr } from '#shared/base/json/json-object.ts';
import { readDataApiVersion } from '../document/data-api-version.ts';

/** A Flow as a preview draws it: read from any JSON, with what is missing or wrong left out. */
export interface Flow {
  readonly version: string;
  readonly screens: ReadonlyMap<string, Screen>;
  /** Undefined for a Flow without an endpoint. */
  readonly dataApiVersion: string | undefined;
  /** Names this opening of the Flow: requests to the endpoint and the final response bear it. */
  readonly token: string;
}

export interface Screen {
  readonly id: string;
  /** May be dynamic. */
  readonly title: string;
  readonly isTerminal: boolean;
  readonly refreshesOnBack: boolean;
  /** The names of its inputs whose values a chat does not show afterwards. */
  readonly sensitive: readonly string[];
  /** The names of its declared data, with their examples. */
  readonly data: ReadonlyMap<string, unknown>;
  readonly components: readonly Component[];
}

export interface Component {
  readonly type: string;
  /** Its place on the screen, unique there and the same on each drawing. */
  readonly key: string;
  /** As written, its children aside. */
  readonly properties: JsonObject;
  /** The children of a Form under `children`, of an If under `then` and `else`, of a Switch under their case. */
  readonly branches: ReadonlyMap<string, readonly Component[]>;
}

/** A hostile document costs a page no more than this. */
const maxScreens = 100;
const maxComponents = 1_000;
const maxDepth = 20;

/** @param json what `JSON.parse` made of a Flow JSON */
export function readFlow(json: unknown, token: string): Flow {
  const screens = listOf(own(json, 'screens')).slice(0, maxScreens).map(readScreen);
  return {
    version: textOr(own(json, 'version'), ''),
    screens: new Map(screens.map((screen) => [screen.id, screen])),
    dataApiVersion: readDataApiVersion(json),
    token,
  };
}

/** All components below these, parents before children. */
export function withDescendants(components: readonly Component[]): Component[] {
  return components.flatMap((component) => [
    component,
    ...[...component.branches.values()].flatMap((branch) => withDescendants(branch)),
  ]);
}

function readScreen(json: unknown): Screen {
  const data = own(json, 'data');
  return {
    id: textOr(own(json, 'id'), ''),
    title: textOr(own(json, 'title'), ''),
    isTerminal: own(json, 'terminal') === true,
    refreshesOnBack: own(json, 'refresh_on_back') === true,
    sensitive: listOf(own(json, 'sensitive')).filter((name) => typeof name === 'string'),
    data: new Map(
      (isObject(data) ? Object.entries(data) : []).map(([name, schema]) => [name, own(schema, '__example__')]),
    ),
    components: new ComponentReader().read(own(own(json, 'layout'), 'children'), ''),
  };
}

class ComponentReader {
  #left = maxComponents;

  read(json: unknown, key: string, depth = 0): Component[] {
    if (depth > maxDepth) return [];
    const components: Component[] = [];
    for (const [index, item] of listOf(json).entries()) {
      if (this.#left === 0) break;
      this.#left -= 1;
      if (isObject(item)) components.push(this.#component(item, `${key}/${index}`, depth));
    }
    return components;
  }

  #component(json: JsonObject, key: string, depth: number): Component {
    const type = textOr(own(json, 'type'), '');
    const lists = branchLists(type, json);
    const branches = lists.map(([name, list]) => [name, this.read(list, `${key}/${name}`, depth + 1)] as const);
    return { type, key, properties: json, branches: new Map(branches) };
  }
}

function branchLists(type: string, json: JsonObject): [name: string, list: unknown][] {
  switch (type) {
    case 'Form':
      return [['children', own(json, 'children')]];
    case 'If':
      return ['then', 'else'].map((name) => [name, own(json, name)]);
    case 'Switch': {
      const cases = own(json, 'cases');
      return isObject(cases) ? Object.entries(cases) : [];
    }
    default:
      return [];
  }
}
