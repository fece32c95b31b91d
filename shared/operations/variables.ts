import type { FunctionDefinition } from './contract.ts';

/** The environment variables through which a function reaches what it uses. The stack sets exactly these. */
export const variablesOf = {
  /** Every function with routes has these, because it belongs to the API. */
  api: ['BASE_URL', 'PUBLIC_URL', 'DEPLOYMENT_ID'],
  table: ['TABLE_NAME'],
  bucket: ['BUCKET_NAME'],
  queue: ['QUEUE_URL'],
  customerUrls: ['EGRESS_ALLOWED_CIDRS', 'OWN_URLS'],
  egress: ['EGRESS_ALLOWED_CIDRS', 'OWN_URLS', 'DEPLOYMENT_ID', 'DELIVERY_TIMEOUT_MS'],
  retries: ['DELIVERY_RETRY_SCHEDULE'],
  upstream: [
    'UPSTREAM_BASE_URL',
    'UPSTREAM_MEDIA_HOSTS',
    'UPSTREAM_GRAPH_VERSION',
    'UPSTREAM_TIMEOUT_MS',
    'UPSTREAM_SECRET_ID',
    'DEPLOYMENT_ID',
  ],
  mediaHosts: ['UPSTREAM_BASE_URL', 'UPSTREAM_MEDIA_HOSTS'],
  credentials: ['UPSTREAM_SECRET_ID'],
  flowKeys: ['UPSTREAM_SECRET_ID'],
} as const;

/** Something that a function reaches through its environment: the API that it belongs to, or one of its `uses`. */
export type ResourceName = keyof typeof variablesOf;

export type Variable = (typeof variablesOf)[ResourceName][number];

/** The variables of a function that uses `N`. What opens a dependency names those that it reads. */
export type Environment<N extends ResourceName> = Readonly<Record<(typeof variablesOf)[N][number], string>>;

/** Whether a function belongs to the API: it is an operation, or has routes of its own. */
const hasRoutes = (definition: FunctionDefinition) => 'path' in definition || definition.routes !== undefined;

/** Returns the variables that a function with this definition needs, without duplicates. */
export function variablesFor(definition: FunctionDefinition): Variable[] {
  const isUsed = (name: ResourceName) => (name === 'api' ? hasRoutes(definition) : definition.uses[name] !== undefined);
  const used = (Object.keys(variablesOf) as ResourceName[]).filter(isUsed);
  return [...new Set(used.flatMap((name): readonly Variable[] => variablesOf[name]))];
}

/** The value of `EGRESS_ALLOWED_CIDRS` that allows customers' URLs on this machine. */
export const loopbackCidrs = '127.0.0.0/8,::1/128';

/** The upstream of a deployment whose configuration names no other. */
export const defaultUpstream = {
  baseUrl: 'https://graph.facebook.com',
  graphVersion: 'v25.0',
  /** The domains of Meta that Graph names for media; most files come from `lookaside.fbsbx.com`. */
  mediaHosts: 'facebook.com,fbcdn.net,fbsbx.com,whatsapp.com,whatsapp.net',
} as const;
