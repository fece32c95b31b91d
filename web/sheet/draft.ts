import type { JsonObject } from '#shared/base/json.ts';
import { componentLimits } from '#shared/flow-json/document/components.ts';
import { loadFlow } from '#shared/flow-json/play/model.ts';
import type { PageTexts } from '#shared/previews/page-texts.ts';
import { getJson } from '../console/http.ts';
import type { FlowRunOptions } from '../preview/flow-run.ts';
import { speaker } from '../preview/say.ts';

/** What a sheet shows, and how its Flow reaches the endpoint and the chat. */
export interface SheetContent extends Omit<FlowRunOptions, 'changed'> {
  /** Sends the final response. A rejection is shown. */
  readonly completed?: (response: JsonObject) => Promise<void>;
}

/** A Flow JSON that is being written. It has no endpoint to ask, so such a Flow opens at its first screen. */
export async function contentOfDraft(text: string): Promise<SheetContent> {
  const { data_api_version: _, ...json } = Object(JSON.parse(text));
  return {
    flow: loadFlow(json, 'a-draft', componentLimits),
    say: speaker(await getJson<PageTexts>('/console/texts')),
    exchange: async () => ({
      fault: 'A draft in the editor has no endpoint. Send the Flow, and open it on the phone.',
    }),
  };
}
