import { type GraphMethod, type GraphPath, graphPaths, type PathGroup } from './graph-paths.ts';

/** Where the paths begin. */
export const graphPrefix = '/v2/graph';

export type GraphRouteKey = `${GraphMethod} ${typeof graphPrefix}/${string}`;

/** The function that gets every path with a method for which no route names another one. */
const functionOfMethod: Readonly<Record<GraphMethod, PathGroup>> = { GET: 'read', POST: 'register', DELETE: 'send' };

/** The gateway's routes to a function: one for all other paths with a method, and those of single edges. */
export function routesOf(group: PathGroup): GraphRouteKey[] {
  const rows: readonly GraphPath[] = Object.values(graphPaths[group]);
  const methods = Object.entries(functionOfMethod).filter(([, responsible]) => responsible === group);
  return [
    ...methods.map(([method]) => `${method as GraphMethod} ${graphPrefix}/{path+}` as const),
    ...rows
      .filter(({ method }) => functionOfMethod[method] !== group)
      .flatMap(({ method, edge }) => [
        `${method} ${graphPrefix}/{first}/${edge}` as const,
        `${method} ${graphPrefix}/{first}/{second}/${edge}` as const,
      ]),
  ];
}

/** A path of a request, without its prefix. */
export interface ParsedPath {
  /** As the client wrote it: `v25.0`. The platform is asked in the version that this service is configured for. */
  version: string | undefined;
  id: string;
  edge: string | undefined;
}

/**
 * Ids here are numbers, each in its only spelling. Other texts never become part of a path, where Graph has names such as
 * `me`. A path may end in a slash, but the gateway then finds no route of its own for it, and sends it to the function
 * for the other paths of its method.
 */
const shape = /^\/v2\/graph(?:\/(?<version>v\d{1,3}\.\d{1,3}))?\/(?<id>[1-9]\d{0,31})(?:\/(?<edge>[a-z_]{1,64}))?\/?$/;

/** Whether a text has the form of the platform's ids. */
export const isId = (text: string | undefined): text is string => text !== undefined && /^\d{1,32}$/.test(text);

export function parsePath(rawPath: string): ParsedPath | undefined {
  const { version, id, edge } = shape.exec(rawPath)?.groups ?? {};
  return id === undefined ? undefined : { version, id, edge };
}
