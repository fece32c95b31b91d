/** Creates the value on first use and keeps it. */
export function lazy<T>(make: () => T): () => T {
  let computed: { value: T } | undefined;
  return () => {
    computed ??= { value: make() };
    return computed.value;
  };
}
