import type { FlowRunOptions } from '../preview/flow-run.ts';

/** What a sheet shows, and how its Flow reaches the endpoint and the chat. */
export type SheetContent = Omit<FlowRunOptions, 'changed'>;
