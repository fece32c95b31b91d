import type { PreviewFacts } from '#shared/http/previews/page-data.ts';

export type PageData = PreviewFacts & { readonly flow_json: unknown };

/** What the server put into the page for the script. */
export function readPageData(): PageData {
  return JSON.parse(document.getElementById('preview-data')?.textContent ?? '') as PageData;
}
