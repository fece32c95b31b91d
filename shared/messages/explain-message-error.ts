import { explainWith, type LoadExplain, textsOf } from '#shared/http/error-entry.ts';

/** Explains upstream errors about messages. */
export const explainMessageError: LoadExplain = async () => {
  const { messageErrorTexts, outcomeUnknown } = await import('#shared/messages/message-error-texts.ts');
  return explainWith(textsOf('message', { ...messageErrorTexts, 'outcome-unknown': outcomeUnknown }));
};
