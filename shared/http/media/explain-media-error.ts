import type { LoadExplain } from '../errors/explain.ts';
import { render, type Text } from '../language/language.ts';

const undelivered: Text = {
  en: 'The messaging platform did not send the file, or took too long. Try again later.',
  'pt-BR': 'A plataforma de mensagens não enviou o arquivo ou demorou demais. Tente mais tarde.',
  es: 'La plataforma de mensajería no envió el archivo o tardó demasiado. Inténtelo más tarde.',
};

/** Explains an upstream error that occurred while fetching a file. */
export const explainMediaError: LoadExplain = async () => (_, language) => render(undelivered, language);

const notTaken: Text = {
  en: 'The messaging platform did not take the file in time. Send the request again.',
  'pt-BR': 'A plataforma de mensagens não recebeu o arquivo a tempo. Envie a requisição de novo.',
  es: 'La plataforma de mensajería no recibió el archivo a tiempo. Envíe la solicitud de nuevo.',
};

/** Explains an upstream error that occurred while uploading a file. */
export const explainUploadError: LoadExplain = async () => (_, language) => render(notTaken, language);
