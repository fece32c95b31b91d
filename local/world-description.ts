import { seededCredentials, seededNumbers, seededTokens, seededWorkspaces } from './seed.ts';

/** Where a running world is: all of `world.json` of a live world, which has no seeded data. */
export interface WorldAddresses {
  base_url: string;
  /** Where the internet reaches the world, if it is live. */
  public_url?: string;
  /** The address on this machine to which the tunnel of a live world leads. */
  tunnel_url?: string;
  /** Which code the world runs, as the stack's output says. */
  code_version: string;
  upstream_url: string;
  /** The AWS services of this world, for the admin command line and for inspection. */
  aws: {
    region: string;
    dynamodb: string;
    table_name: string;
    sqs: string;
    /** By the queues' logical ids. */
    queue_urls: Record<string, string>;
    s3: string;
    bucket_name: string;
    secrets_manager: string;
    /** Name of the secret with the upstream credentials. */
    upstream_secret: string;
  };
}

/** The content of `.local/world.json`, for everything that uses the running world. */
export interface WorldDescription extends WorldAddresses {
  app_secret: string;
  verify_token: string;
  workspaces: { id: string; waba_id: string | null; name: string }[];
  numbers: {
    id: string;
    workspace: string;
    phone_number_id: string;
    display_phone_number: string;
    calling_enabled: boolean;
    active: boolean;
  }[];
  tokens: Readonly<Record<'owner' | 'member' | 'stranger', string>>;
}

/** Describes a world with the seeded data that runs at these addresses. */
export function describeWorld(addresses: WorldAddresses): WorldDescription {
  const { base_url, code_version, upstream_url, aws } = addresses;
  return {
    base_url,
    code_version,
    upstream_url,
    app_secret: seededCredentials.app_secret,
    verify_token: seededCredentials.verify_token,
    workspaces: seededWorkspaces.map(({ id, waba_id, name }) => ({ id, waba_id, name })),
    numbers: seededNumbers.map(({ created_at: _, ...number }) => number),
    tokens: seededTokens,
    aws,
  };
}
