import * as z from 'zod/mini';
import { type AwsService, type Connection, connectionFrom } from '#shared/aws/connection.ts';
import type { ResourceName, Variable, variablesOf } from './variables.ts';

type Schemas<N extends ResourceName> = { [V in (typeof variablesOf)[N][number]]?: z.ZodMiniType };

/** How to reach an AWS service. Lambda itself sets the variables for it, not the stack. */
export type ConnectTo = (service: AwsService) => Connection;

/** Something that a function reaches through its environment, and how to open it. */
export interface Resource<N extends ResourceName, T> {
  readonly name: N;
  readonly variables: Readonly<Partial<Record<Variable, z.ZodMiniType>>>;
  open(values: Record<string, unknown>, connectTo: ConnectTo): T;
}

/** Declares a resource. It may read only the variables that belong to its name, because the stack sets only those. */
export function resource<N extends ResourceName, S extends Schemas<N>, T>(
  name: N,
  variables: S & Record<Exclude<keyof S, (typeof variablesOf)[N][number]>, never>,
  open: (values: { [V in keyof S]: S[V] extends z.ZodMiniType ? z.output<S[V]> : never }, connectTo: ConnectTo) => T,
): Resource<N, T> {
  return { name, variables, open: open as Resource<N, T>['open'] };
}

/** A variable that must not be empty. */
export const text = z.string().check(z.minLength(1));

export const milliseconds = z.pipe(z.string().check(z.regex(/^[1-9]\d{0,6}$/)), z.transform(Number));

/** A variable that `parse` accepts; `parse` throws if the value is invalid. */
export const parsedBy = <T>(parse: (text: string) => T) =>
  z.pipe(
    z.string(),
    z.transform((value: string, context) => {
      try {
        return parse(value);
      } catch (error) {
        context.issues.push({ code: 'custom', input: value, message: error instanceof Error ? error.message : '' });
        return z.NEVER;
      }
    }),
  );

/**
 * Opens resources, using the environment.
 *
 * @throws Error that names every missing or invalid variable and what is wrong with it.
 */
export function openResources(
  resources: ReadonlySet<Resource<ResourceName, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): Map<Resource<ResourceName, unknown>, unknown> {
  const faults = new Map<string, string>();
  const read = (name: string, schema: z.ZodMiniType) => {
    const result = z.safeParse(schema, environment[name]);
    if (result.success) return result.data;
    faults.set(name, faultOf(environment[name], result.error.issues[0]?.message));
    return undefined;
  };
  const values = [...resources].map((one) => {
    const entries = Object.entries(one.variables).map(([name, schema]) => [name, read(name, schema)] as const);
    return [one, Object.fromEntries(entries)] as const;
  });
  if (faults.size > 0) {
    const list = [...faults].map(([name, fault]) => `${name} ${fault}`).join('; ');
    throw new Error(`The environment of the function is wrong: ${list}`);
  }
  const connectTo: ConnectTo = (service) => connectionFrom(environment, service);
  return new Map(values.map(([one, read]) => [one, one.open(read, connectTo)]));
}

function faultOf(value: string | undefined, message = 'Invalid input'): string {
  return value === undefined || value === '' ? 'is not set' : `is wrong ("${value}"): ${message}`;
}
