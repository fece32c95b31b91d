import type { Clock } from '#shared/base/time/clock.ts';
import type { Resource } from './resource.ts';
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
