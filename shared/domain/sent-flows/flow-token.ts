import { tokenFormat } from '#shared/base/token-format.ts';

/**
 * The flow tokens that this service makes. Whatever has their prefix is ours or was altered; customers may also send
 * Flows through other systems, whose tokens have other formats.
 */
export const { create: createFlowToken, hasPrefix: isOurs, isWellFormed: isUnaltered } = tokenFormat('msgf_');
