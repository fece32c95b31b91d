import type { SentWebhook } from '../graph/events/webhook-sender.ts';
import type { ShownRequest } from '../graph/http/request-log.ts';
import type { WorldDescription } from '../world-description.ts';
import type { Behaviour, ReceivedWebhook } from './receiver.ts';
import type { ShownDelivery } from './shown-delivery.ts';
import type { Subscribers } from './subscribers.ts';
import type { ShownTarget } from './table-watch.ts';

/** What the console says at `/console/state`, in a live world as well. */
export interface WorldState {
  readonly world: Subscribers;
  /** Newest first. */
  readonly deliveries: readonly ShownDelivery[];
  readonly targets: readonly ShownTarget[];
}

/** What it says in a world with a simulated platform: all that its page asks it for. */
export interface ConsoleState extends WorldState {
  readonly world: ShownWorld;
  /** When the world started, in epoch milliseconds. */
  readonly started_at: number;
  /** What the built-in receiver does. */
  readonly receiver: Behaviour;
  readonly requests: readonly ShownRequest[];
  readonly events: readonly SentWebhook[];
  readonly received: readonly ReceivedWebhook[];
}

/** What the page learns of the world. The token is for the commands that it shows. */
export type ShownWorld = Pick<WorldDescription, 'base_url' | 'upstream_url' | 'code_version' | 'tokens'> & Subscribers;

export function shownWorld(description: WorldDescription, subscribers: Subscribers): ShownWorld {
  const { base_url, upstream_url, code_version, tokens } = description;
  return { base_url, upstream_url, code_version, tokens, ...subscribers };
}
