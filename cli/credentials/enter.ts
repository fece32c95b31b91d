import { isObject } from '#shared/base/json/json-object.ts';
import { parseJson } from '#shared/base/json/parse-json.ts';
import { UsageError } from '../terminal/errors.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type EnteredValues, type ValueName, valueNames, valueTitles } from './values.ts';

/** Where values come from: a person at a terminal, or a script on standard input. Never the command line. */
export interface ValueSource extends Pick<Terminal, 'isInteractive' | 'askSecret'> {
  /** Reads the whole standard input. */
  readInput(): Promise<string>;
}

/**
 * Reads values: asks a person for each, or takes JSON or one line for each from a script. Empty ones are left out.
 *
 * @param isGenerated whether the verify token is not asked for, because a new one is made
 */
export async function enterValues(source: ValueSource, isGenerated: boolean): Promise<EnteredValues> {
  const names = valueNames.filter((name) => name !== 'verify_token' || !isGenerated);
  return source.isInteractive ? askForValues(source, names) : parseValues(await source.readInput());
}

async function askForValues({ askSecret }: ValueSource, names: readonly ValueName[]): Promise<EnteredValues> {
  const values: EnteredValues = {};
  for (const name of names) {
    enter(values, name, await askSecret(`${valueTitles[name]} (is not shown; empty: leave it as it is): `));
  }
  return values;
}

function parseValues(input: string): EnteredValues {
  const text = input.trim();
  return text.startsWith('{') ? parseObject(text) : parseLines(input);
}

function parseObject(text: string): EnteredValues {
  const object = parseJson(text);
  if (!isObject(object)) throw new UsageError('Standard input begins like JSON, but is not.');
  const values: EnteredValues = {};
  for (const [name, value] of Object.entries(object)) {
    if (!isValueName(name)) {
      throw new UsageError(
        `There is no value ${JSON.stringify(name.slice(0, 40))}. There are ${valueNames.join(', ')}.`,
      );
    }
    if (typeof value !== 'string') throw new UsageError(`${name} must be a text.`);
    enter(values, name, value);
  }
  return values;
}

function parseLines(input: string): EnteredValues {
  const lines = input.replace(/\r?\n$/, '').split(/\r?\n/);
  if (lines.length > valueNames.length) {
    throw new UsageError(`Standard input must be JSON or ${valueNames.length} lines: ${valueNames.join(', ')}.`);
  }
  const values: EnteredValues = {};
  for (const [index, name] of valueNames.entries()) enter(values, name, lines[index] ?? '');
  return values;
}

/** Adds a value unless it is empty. The value is never quoted in an error. */
function enter(values: EnteredValues, name: ValueName, text: string): void {
  const value = text.trim();
  if (value === '') return;
  if (!/^[!-~]{1,4096}$/.test(value)) {
    throw new UsageError(`${valueTitles[name]}: it must be letters, digits and signs, without spaces.`);
  }
  values[name] = value;
}

const isValueName = (name: string): name is ValueName => valueNames.some((each) => each === name);
