import type { JsonObject } from '#shared/base/json.ts';
import type { FlowRunOptions } from '../preview/flow-run.ts';

/** What a sheet shows, and how its Flow reaches the endpoint and the chat. */
export interface SheetContent extends Omit<FlowRunOptions, 'changed'> {
  /** Sends the final response. A rejection is shown. */
  readonly completed?: (response: JsonObject) => Promise<void>;
}
