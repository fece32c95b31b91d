import { tokenFormat } from '#shared/base/token-format.ts';

/**
 * The flow tokens that this service makes. A token with this prefix is ours, or an altered one of ours. Customers may
 * also send Flows through other systems, whose tokens have other formats.
 */
export const { create: createFlowToken, hasPrefix: isOurs, isWellFormed: isUnaltered } = tokenFormat('msgf_');
