import type { Report } from '../findings.ts';
import type { FlowSource } from '../flow-source.ts';

/** Reports violations of one group of the upstream's rules. */
export type Rule = (flow: FlowSource, report: Report) => void;
