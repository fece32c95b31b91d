import type { Explain } from '../errors/explain.ts';
import { render, type Text } from '../language/language.ts';
import { callErrorTexts } from './call-error-texts.ts';
import { findingTexts } from './sdp-finding-texts.ts';

const outcomeUnknown: Text = {
  en: 'The messaging platform did not respond in time, so the outcome is unknown. The events at calls_webhook will show it; if none arrives, send the same request again.',
  'pt-BR':
    'A plataforma de mensagens não respondeu a tempo, então o resultado é desconhecido. Os eventos em calls_webhook o mostrarão; se nenhum chegar, envie a mesma requisição de novo.',
  es: 'La plataforma de mensajería no respondió a tiempo, así que el resultado se desconoce. Los eventos en calls_webhook lo mostrarán; si no llega ninguno, envíe la misma solicitud de nuevo.',
};

const prefixed = (prefix: string, texts: Readonly<Record<string, Text>>) =>
  Object.entries(texts).map(([name, text]) => [`${prefix}.${name}`, text] as const);

const texts = new Map<string, Text>([
  ...prefixed('call', { ...callErrorTexts, 'outcome-unknown': outcomeUnknown }),
  ...prefixed('sdp', findingTexts),
]);

/** Explains upstream errors about calls. The explanation of an SDP finding starts with the finding's name. */
export const explainCallError: Explain = ({ code }, language) => {
  const text = texts.get(code);
  if (!text) throw new Error(`There is no text for ${code}`);
  const sentence = render(text, language);
  return code.startsWith('sdp.') ? `${code.slice('sdp.'.length)}: ${sentence}` : sentence;
};
