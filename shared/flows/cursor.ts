import { parseUuid } from '../ids.ts';

/** Where a page of a workspace's Flows begins: on which side of which Flow. */
export interface Cursor {
  workspace: string;
  flow: string;
  towards: 'older' | 'newer';
}

/** Opaque to clients; bound to its workspace, so that it is no good in another list. */
export function encodeCursor({ workspace, flow, towards }: Cursor): string {
  return Buffer.from([workspace, flow, towards].join(' ')).toString('base64url');
}

/** The cursor, if `text` is one of this workspace's list. */
export function decodeCursor(text: string, workspace: string): Cursor | undefined {
  const [ofWorkspace, flowText, towards, ...rest] = Buffer.from(text, 'base64url').toString().split(' ');
  const flow = parseUuid(flowText);
  if (rest.length > 0 || ofWorkspace !== workspace || flow === undefined) return undefined;
  if (towards !== 'older' && towards !== 'newer') return undefined;
  const cursor = { workspace, flow, towards } as const;
  return encodeCursor(cursor) === text ? cursor : undefined;
}
