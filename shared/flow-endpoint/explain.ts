import { explainError } from '../deliveries/explain.ts';
import { type Language, render, type Text } from '../language/language.ts';
import type { ErrorClass } from '../outgoing/errors.ts';
import type { ExchangeRecord } from './exchange-record.ts';
import type { Fault } from './fault.ts';

/** What is wrong with an exchange and what to do about it, in words; `null` when nothing is. */
export function explainExchange({ fault, status }: ExchangeRecord, language: Language): string | null {
  if (fault === null) return null;
  if (!hasText(fault)) return explainError(fault, language);
  return render(texts[fault], language, { status: status ?? '-' });
}

const hasText = (fault: Fault): fault is keyof typeof texts => Object.hasOwn(texts, fault);

/** What a connection fails by is explained as for notifications, but for the time that there is to answer. */
const texts: Record<Exclude<Fault, ErrorClass> | 'timeout', Text> = {
  timeout: {
    en: 'The endpoint did not answer within 8 seconds. The phone waits for the answer: keep it well below that.',
    'pt-BR': 'O endpoint não respondeu em 8 segundos. O telefone espera pela resposta: fique bem abaixo disso.',
    es: 'El endpoint no respondió en 8 segundos. El teléfono espera la respuesta: quédese muy por debajo.',
  },
  undecryptable: {
    en: 'The request could not be decrypted: the phone used another public key than those of this workspace. Have the key registered again for the number.',
    'pt-BR':
      'A solicitação não pôde ser descriptografada: o telefone usou outra chave pública que não as deste workspace. Peça o novo registro da chave para o número.',
    es: 'La solicitud no se pudo descifrar: el teléfono usó otra clave pública que las de este espacio de trabajo. Pida que se registre de nuevo la clave para el número.',
  },
  status: {
    en: 'The endpoint answered {status} instead of 200.',
    'pt-BR': 'O endpoint respondeu {status} em vez de 200.',
    es: 'El endpoint respondió {status} en lugar de 200.',
  },
  'too-large': {
    en: 'The answer is larger than 1 MB.',
    'pt-BR': 'A resposta é maior que 1 MB.',
    es: 'La respuesta supera 1 MB.',
  },
  'not-base64': {
    en: 'The answer is not base64. The phone expects the encrypted answer in base64 and nothing else: no quotes, no JSON.',
    'pt-BR':
      'A resposta não é base64. O telefone espera a resposta criptografada em base64 e nada mais: sem aspas, sem JSON.',
    es: 'La respuesta no es base64. El teléfono espera la respuesta cifrada en base64 y nada más: sin comillas, sin JSON.',
  },
  'not-json': {
    en: 'The answer is not a JSON object.',
    'pt-BR': 'A resposta não é um objeto JSON.',
    es: 'La respuesta no es un objeto JSON.',
  },
  'not-active': {
    en: 'The health check expects {"data": {"status": "active"}}.',
    'pt-BR': 'A verificação de saúde espera {"data": {"status": "active"}}.',
    es: 'La comprobación de estado espera {"data": {"status": "active"}}.',
  },
  'no-screen': {
    en: 'The answer names no screen. Answer {"screen": "…", "data": {…}}.',
    'pt-BR': 'A resposta não indica uma tela. Responda {"screen": "…", "data": {…}}.',
    es: 'La respuesta no indica una pantalla. Responda {"screen": "…", "data": {…}}.',
  },
  'unknown-screen': {
    en: 'The Flow has no screen of the name that the endpoint answered with.',
    'pt-BR': 'O Flow não tem uma tela com o nome que o endpoint respondeu.',
    es: 'El Flow no tiene una pantalla con el nombre que respondió el endpoint.',
  },
  'invalid-data': {
    en: 'The answer has data of a wrong type: data must be an object, error_message a text, and params of the final answer an object.',
    'pt-BR':
      'A resposta tem dados de tipo errado: data deve ser um objeto, error_message um texto, e params da resposta final um objeto.',
    es: 'La respuesta tiene datos de tipo incorrecto: data debe ser un objeto, error_message un texto y params de la respuesta final un objeto.',
  },
  'undeclared-data': {
    en: 'The answer was passed on, but has data that its screen does not declare: the phone may refuse or ignore it.',
    'pt-BR':
      'A resposta foi repassada, mas tem dados que sua tela não declara: o telefone pode recusá-los ou ignorá-los.',
    es: 'La respuesta se transmitió, pero tiene datos que su pantalla no declara: el teléfono puede rechazarlos o ignorarlos.',
  },
};
