import * as z from 'zod/mini';
import { findingTexts } from '#shared/calls/sdp-finding-texts.ts';
import { findings, offerFindings } from '#shared/calls/sdp-findings.ts';

export const sdpSchema = z.strictObject({
  sdp: z.string(),
  type: z.enum(['offer', 'answer']),
  /** The SDP of the connection, which a call of the business has beside that of the session. */
  connection: z.optional(z.string()),
});

export interface SdpFinding {
  readonly name: string;
  readonly text: string;
}

/** Runs the service's checks on the SDP and returns what they find as readable sentences. */
export function checkSdp({ sdp, type, connection }: z.infer<typeof sdpSchema>): SdpFinding[] {
  const found = connection === undefined ? findings(sdp, type) : offerFindings(sdp, connection);
  return found.map((name) => ({ name, text: findingTexts[name].en }));
}
