import type { PreviewFacts } from '#shared/previews/preview-pages.ts';

export type PageData = PreviewFacts & { readonly flow_json: unknown };

/** The data for the script that the server put into the page. */
export function readPageData(): PageData {
  return JSON.parse(document.getElementById('preview-data')?.textContent ?? '') as PageData;
}
