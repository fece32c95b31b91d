import { access, mark } from './compose.ts';
import {
  type Contract,
  type Environment,
  type FunctionDefinition,
  type ResourceName,
  variablesFor,
} from './contract.ts';
import type { PublicDependencies, WrapperDependencies } from './create-handler.ts';

/** The variables that a function has because its definition names what it uses. */
type EnvironmentOf<D extends FunctionDefinition> = D extends FunctionDefinition
  ? Environment<Extract<keyof D['uses'], ResourceName>>
  : never;

/** Opens each dependency. An opener that reads a variable which the function does not have, does not compile. */
type Openers<T, E> = { readonly [K in keyof T]: (environment: E) => T[K] };

const now = () => Date.now;

/** Returns what starts the function of an operation, or of several, when the process has its environment. */
export function serve<const C extends Contract, T extends WrapperDependencies, H>(
  contract: C | readonly C[],
  makeHandler: (dependencies: T) => H,
  openers: Openers<Omit<T, keyof WrapperDependencies>, EnvironmentOf<C> & Environment<'api' | 'table'>>,
): () => H {
  return () => start(contract, makeHandler, { now, mark, access, ...openers });
}

/** The same for what needs no access token, and so perhaps no table, or reads the token in another way. */
export function servePublic<const C extends FunctionDefinition, T extends PublicDependencies, H>(
  contract: C,
  makeHandler: (dependencies: T) => H,
  openers: Openers<Omit<T, keyof PublicDependencies>, EnvironmentOf<C> & Environment<'api'>>,
): () => H {
  return () => start(contract, makeHandler, { now, mark, ...openers });
}

/** The same for a function that is not an operation. */
export function run<const D extends FunctionDefinition, T extends { now: () => number }, H>(
  definition: D,
  makeHandler: (dependencies: T) => H,
  openers: Openers<Omit<T, 'now'>, EnvironmentOf<D>>,
): () => H {
  return () => start(definition, makeHandler, { now, ...openers });
}

function start<T, H>(
  definitions: FunctionDefinition | readonly FunctionDefinition[],
  makeHandler: (dependencies: T) => H,
  openers: object,
): H {
  const missing = [definitions]
    .flat()
    .flatMap(variablesFor)
    .filter((name) => process.env[name] === undefined);
  if (missing.length > 0) throw new Error(`The environment of the function lacks ${missing.join(', ')}`);
  const opened = Object.entries(openers).map(([name, open]) => [name, open(process.env)]);
  return makeHandler(Object.fromEntries(opened));
}
