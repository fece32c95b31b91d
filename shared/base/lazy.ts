/** Creates the value on first use and keeps it. Arguments of later uses are ignored. */
export function lazy<A extends unknown[], T>(make: (...first: A) => T): (...each: A) => T {
  let computed: { value: T } | undefined;
  return (...args) => {
    computed ??= { value: make(...args) };
    return computed.value;
  };
}
