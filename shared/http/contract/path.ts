/** The names of the parameters in the template of a path. */
export type PathParameter<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/** Fills in the template of a path. It percent-encodes the values. */
export function pathOf<const P extends string>(
  template: P,
  values: Readonly<Record<PathParameter<P>, string>>,
): string {
  return template.replace(/\{(\w+)\}/g, (_, name: PathParameter<P>) => encodeURIComponent(values[name]));
}
