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

// The paths of resources to which other operations link. Importing one from a contract would also load the contract's
// schemas.

export const flowPath = '/v2/workspaces/{workspace}/flows/{flow}';

/** The endpoint that the upstream calls for a Flow. */
export const flowEndpointPath = '/v2/flows/{flow}/endpoint';

/** A file of a message. */
export const mediaPath = '/v2/messaging/numbers/{number}/media/{id}';

/** A file that a contact picked in a Flow. */
export const flowFilePath = '/v2/flows/{flow}/files/{file}';

export const previewPath = '/v2/flows/preview/{preview}';

/** Where the upstream sends events. */
export const eventsPath = '/v2/messaging/events';
