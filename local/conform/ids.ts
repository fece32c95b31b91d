import { isObject } from '#shared/base/json/json-object.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';
import type { Json } from '../recording/recording.ts';

/** Which id of the simulated platform stands for which recorded one. */
export class IdMap {
  readonly #ids = new Map<string, string>();

  set(recorded: string, simulated: string): void {
    this.#ids.set(recorded, simulated);
  }

  has(recorded: string): boolean {
    return this.#ids.has(recorded);
  }

  get(recorded: string): string {
    return this.#ids.get(recorded) ?? recorded;
  }

  /** Learns the ids that the platform has chosen, from two responses to the same request. */
  learn(recorded: Json, simulated: Json, name = ''): void {
    if (Array.isArray(recorded) && Array.isArray(simulated)) {
      for (const [index, item] of recorded.entries()) this.learn(item, simulated[index], name);
    } else if (isObject(recorded) && isObject(simulated)) {
      for (const [key, value] of Object.entries(recorded)) this.learn(value, simulated[key], key);
    } else if (
      typeof recorded === 'string' &&
      typeof simulated === 'string' &&
      /(?:^|_)id$|^(?:after|before)$/.test(name)
    ) {
      if (recorded !== simulated) this.set(recorded, simulated);
    }
  }

  /** The value with simulated ids in place of recorded ones, also in JSON inside a text. */
  apply(value: Json): Json {
    if (Array.isArray(value)) return value.map((item) => this.apply(item));
    if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.apply(one)]));
    if (typeof value !== 'string') return value;
    const nested = /^\s*[[{]/.test(value) ? parseJson(value) : undefined;
    return nested === undefined ? this.get(value) : JSON.stringify(this.apply(nested));
  }

  path(path: string): string {
    return path
      .split('/')
      .map((segment) => encodeURIComponent(this.get(decodeURIComponent(segment))))
      .join('/');
  }
}
