import { explainCallError } from '#shared/calls/call-errors.ts';
import type { LoadExplain } from '#shared/http/error-entry.ts';
import { explainUploadError } from '#shared/media/media-error.ts';
import { explainMessageError } from '#shared/messages/explain-message-error.ts';

/** Explains the errors of the platform on any path, each with the texts of its subject. */
export const explainGraphError: LoadExplain = async () => {
  const [ofMessage, ofMedia, ofCall] = await Promise.all([
    explainMessageError(),
    explainUploadError(),
    explainCallError(),
  ]);
  return (explanation, language) => {
    const { code } = explanation;
    if (code.startsWith('message.')) return ofMessage(explanation, language);
    return code.startsWith('media.') ? ofMedia(explanation, language) : ofCall(explanation, language);
  };
};
