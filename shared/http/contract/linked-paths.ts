// The paths of resources to which other operations link. Importing one from a contract would also load the contract's
// schemas.

/** One Flow of a workspace. */
export const flowPath = '/v2/workspaces/{workspace}/flows/{flow}';

/** The endpoint that the upstream calls for a Flow. */
export const flowEndpointPath = '/v2/flows/{flow}/endpoint';

/** The page of a preview. */
export const previewPath = '/v2/flows/preview/{preview}';

/** Where the upstream sends events. */
export const eventsPath = '/v2/messaging/events';
