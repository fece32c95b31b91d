import { explainWith, type LoadExplain, textsOf } from '../errors/explain.ts';

/** Explains upstream errors about messages. */
export const explainMessageError: LoadExplain = async () => {
  const { messageErrorTexts, outcomeUnknown } = await import('#shared/http/messages/message-error-texts.ts');
  return explainWith(textsOf('message', { ...messageErrorTexts, 'outcome-unknown': outcomeUnknown }));
};
