import * as z from 'zod/mini';
import { findings } from '#shared/domain/calls/sdp-findings.ts';
import { findingTexts } from '#shared/http/calls/sdp-finding-texts.ts';

export const sdpSchema = z.strictObject({ sdp: z.string(), type: z.enum(['offer', 'answer']) });

export interface SdpFinding {
  readonly name: string;
  readonly text: string;
}

/** Runs the service's checks on the SDP and returns what they find as readable sentences. */
export function checkSdp({ sdp, type }: z.infer<typeof sdpSchema>): SdpFinding[] {
  return findings(sdp, type).map((name) => ({ name, text: findingTexts[name].en }));
}
