import type { Explain } from '../errors/explain.ts';
import { render, type Text } from '../language/language.ts';

const undelivered: Text = {
  en: 'The messaging platform did not deliver the file, or not in time. Try again later.',
  'pt-BR': 'A plataforma de mensagens não entregou o arquivo, ou não a tempo. Tente mais tarde.',
  es: 'La plataforma de mensajería no entregó el archivo, o no a tiempo. Inténtelo más tarde.',
};

/** What an error of the upstream means when a file was asked for. */
export const explainMediaError: Explain = (_, language) => render(undelivered, language);
