import { explainWith, type LoadExplain, textsOf } from '#shared/http/error-entry.ts';

/** Explains upstream errors about calls. The explanation of an SDP finding starts with the finding's name. */
export const explainCallError: LoadExplain = async () => {
  const [{ callErrorTexts, outcomeUnknown }, { findingTexts }] = await Promise.all([
    import('#shared/calls/call-error-texts.ts'),
    import('#shared/calls/sdp-finding-texts.ts'),
  ]);
  const explain = explainWith({
    ...textsOf('call', { ...callErrorTexts, 'outcome-unknown': outcomeUnknown }),
    ...textsOf('sdp', findingTexts),
  });
  return (explanation, language) => {
    const { code } = explanation;
    const sentence = explain(explanation, language);
    return code.startsWith('sdp.') ? `${code.slice('sdp.'.length)}: ${sentence}` : sentence;
  };
};
