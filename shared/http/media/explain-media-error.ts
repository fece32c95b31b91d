import type { LoadExplain } from '../errors/explain.ts';
import { render, type Text } from '../language/language.ts';

const undelivered: Text = {
  en: 'The messaging platform did not send the file, or took too long. Try again later.',
  'pt-BR': 'A plataforma de mensagens não enviou o arquivo ou demorou demais. Tente mais tarde.',
  es: 'La plataforma de mensajería no envió el archivo o tardó demasiado. Inténtelo más tarde.',
};

/** Explains an upstream error that occurred while fetching a file. */
export const explainMediaError: LoadExplain = async () => (_, language) => render(undelivered, language);
