import { UsageError } from './failures.ts';
import type { Parameter } from './parameters.ts';
import type { Result } from './render.ts';
import type { Service } from './service.ts';

interface ValueOption<T, Required extends boolean> {
  parameter: Parameter<T>;
  required: Required;
  help: string;
}

interface Flag {
  help: string;
}

export type Option = ValueOption<unknown, boolean> | Flag;
export type Options = Readonly<Record<string, Option>>;
/** In the order in which they are given; none may be left out. */
type Arguments = Readonly<Record<string, Parameter<unknown>>>;

export const flag = (help: string): Flag => ({ help });

export function required<T>(parameter: Parameter<T>, help: string): ValueOption<T, true> {
  return { parameter, required: true, help };
}

export function optional<T>(parameter: Parameter<T>, help: string): ValueOption<T, false> {
  return { parameter, required: false, help };
}

type ArgumentValues<A extends Arguments> = { [K in keyof A]: A[K] extends Parameter<infer T> ? T : never };
type OptionValues<O extends Options> = {
  [K in keyof O]: O[K] extends ValueOption<infer T, infer Required>
    ? T | (Required extends true ? never : undefined)
    : boolean;
};
type Values<A extends Arguments, O extends Options> = ArgumentValues<A> & OptionValues<O>;

interface Description<A extends Arguments, O extends Options> {
  noun: string;
  verb: string;
  summary: string;
  arguments: A;
  options: O;
}

/** The words after the verb, as texts: arguments in order, options by name. */
interface Words {
  arguments: readonly string[];
  options: Readonly<Record<string, string | boolean | undefined>>;
}

/** What is left to run once the words are parsed. */
export type Task =
  | { needsService: true; run(service: Service): Promise<Result> }
  | { needsService: false; run(): Promise<Result> };

export interface Command extends Description<Arguments, Options> {
  /** Throws a {@link UsageError}. */
  prepare(words: Words): Task;
}

/** A command whose `run` gets its arguments and options parsed, by name. */
export function defineCommand<A extends Arguments, O extends Options>(
  definition: Description<A, O> & { run(service: Service, values: Values<A, O>): Promise<Result> },
): Command {
  const { run, ...description } = definition;
  return {
    ...description,
    prepare(words) {
      const values = parseValues(definition, words);
      return { needsService: true, run: (service) => run(service, values) };
    },
  };
}

/** A command that works on nothing but what it is given. */
export function defineLocalCommand<A extends Arguments, O extends Options>(
  definition: Description<A, O> & { run(values: Values<A, O>): Promise<Result> },
): Command {
  const { run, ...description } = definition;
  return {
    ...description,
    prepare(words) {
      const values = parseValues(definition, words);
      return { needsService: false, run: () => run(values) };
    },
  };
}

function parseValues<A extends Arguments, O extends Options>(
  { arguments: parameters, options }: Description<A, O>,
  words: Words,
): Values<A, O> {
  return { ...parseArguments(parameters, words.arguments), ...parseOptions(options, words.options) };
}

function parseArguments<A extends Arguments>(parameters: A, texts: readonly string[]): ArgumentValues<A> {
  const entries = Object.entries(parameters);
  const surplus = texts[entries.length];
  if (surplus !== undefined) throw new UsageError(`There is an argument too many: ${JSON.stringify(surplus)}.`);
  const values = entries.map(([name, parameter], position) => {
    const text = texts[position];
    if (text === undefined) throw new UsageError(`${parameter.placeholder} is missing.`);
    return [name, parseValue(parameter, parameter.placeholder, text)];
  });
  return Object.fromEntries(values) as ArgumentValues<A>;
}

/** The values of `options`, parsed, by name. Throws a {@link UsageError}. */
export function parseOptions<O extends Options>(options: O, given: Words['options']): OptionValues<O> {
  const values = Object.entries(options).map(([name, option]) => {
    const value = given[name];
    if (!('parameter' in option)) return [name, value === true];
    if (typeof value === 'string') return [name, parseValue(option.parameter, `--${name}`, value)];
    if (option.required) throw new UsageError(`--${name} ${option.parameter.placeholder} is missing.`);
    return [name, undefined];
  });
  return Object.fromEntries(values) as OptionValues<O>;
}

function parseValue(parameter: Parameter<unknown>, label: string, text: string): unknown {
  const value = parameter.parse(text);
  if (value === undefined)
    throw new UsageError(`${label} must be ${parameter.expected}, which ${JSON.stringify(text)} is not.`);
  return value;
}
