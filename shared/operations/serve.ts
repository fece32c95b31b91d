import type { Mark } from '#shared/base/mark.ts';
import type { Clock } from '#shared/base/time.ts';
import { api } from '#shared/operations/resources/api.ts';
import type { Contract, FunctionDefinition } from './contract.ts';
import { openResources, type Resource } from './resource.ts';
import type { ResourceName } from './variables.ts';

type Resources<N extends ResourceName> = Readonly<Record<string, Resource<N, unknown>>>;

type Opened<R> = { [K in keyof R]: R[K] extends Resource<ResourceName, infer T> ? T : never };

/** Provides one dependency of a function: the resources that it needs, and how to build it from them. */
export interface Provider<T, N extends ResourceName> {
  readonly resources: Resources<N>;
  provide(opened: Record<string, unknown>, now: Clock): T;
}

/**
 * Declares a provider. A function may use it if its definition's `uses` name all of its resources. A call that is
 * annotated with `@__PURE__` stays out of the bundles of functions that do not use the provider.
 */
export function provider<N extends ResourceName, R extends Resources<N>, T>(
  resources: R & Resources<N>,
  provide: (opened: Opened<R>, now: Clock) => T,
): Provider<T, R[keyof R]['name']> {
  return { resources, provide: provide as (opened: Record<string, unknown>, now: Clock) => T };
}

/** What every function gets in addition to the dependencies that it asks for. */
interface Injected {
  now: Clock;
}

type InjectedIntoOperations = Injected & { mark: Mark };

/** The resources that a function may use because its definition names them. */
type Declared<D extends FunctionDefinition> = D extends FunctionDefinition
  ? Extract<keyof D['uses'], ResourceName>
  : never;

/** The resources of an operation: those of the API, and the table that tells who the caller is. */
type DeclaredOrImplied<C extends Contract> =
  | Declared<C>
  | 'api'
  | (C['caller'] extends 'public' | 'upstream' ? never : 'table');

type Providers<T, N extends ResourceName> = { readonly [K in keyof T]: Provider<T[K], N> };

type Make<T, A extends unknown[], R> = (dependencies: T) => (...invocation: A) => R;

/** The handler of a function. It reads the environment on the first invocation, or when `open` is called. */
export interface FunctionHandler<A extends unknown[], R> {
  (...invocation: A): R;
  open(): void;
}

/** Creates the deployed handler of an operation, or of several. Providers build its dependencies. */
export function serve<const C extends Contract, T extends InjectedIntoOperations, A extends unknown[], R>(
  _contract: C | readonly C[],
  make: Make<T, A, R>,
  providers: Providers<Omit<T, keyof InjectedIntoOperations>, DeclaredOrImplied<C>>,
): FunctionHandler<A, R> {
  return lazily(() => {
    const now = Date.now;
    const { opened, provided } = provideAll(providers, now, api);
    const { mark } = opened.get(api) as ReturnType<typeof api.open>;
    return make({ ...provided, now, mark } as unknown as T);
  });
}

/** Creates the deployed handler of a function that is not an operation. */
export function run<const D extends FunctionDefinition, T extends Injected, A extends unknown[], R>(
  _definition: D,
  make: Make<T, A, R>,
  providers: Providers<Omit<T, keyof Injected>, Declared<D>>,
): FunctionHandler<A, R> {
  return lazily(() => {
    const now = Date.now;
    return make({ ...provideAll(providers, now).provided, now } as unknown as T);
  });
}

type AnyProvider = Provider<unknown, ResourceName>;

function provideAll(providers: object, now: Clock, ...besides: Resource<ResourceName, unknown>[]) {
  const entries = Object.entries(providers) as [string, AnyProvider][];
  const needed = new Set(entries.flatMap(([, { resources }]) => Object.values(resources)).concat(besides));
  const opened = openResources(needed, process.env);
  const provided = entries.map(([name, { resources, provide }]) => {
    const own = Object.entries(resources).map(([key, resource]) => [key, opened.get(resource)] as const);
    return [name, provide(Object.fromEntries(own), now)] as const;
  });
  return { opened, provided: Object.fromEntries(provided) };
}

function lazily<A extends unknown[], R>(open: () => (...invocation: A) => R): FunctionHandler<A, R> {
  let handler: ((...invocation: A) => R) | undefined;
  const opened = () => {
    handler ??= open();
    return handler;
  };
  return Object.assign((...invocation: A) => opened()(...invocation), { open: () => void opened() });
}
