import type { LoadExplain } from '../errors/explain.ts';

/** Explains why a Flow's endpoint keeps the upstream from publishing it. */
export const explainEndpointFault: LoadExplain = async () => (await import('./explain.ts')).explainExchangeFault;
