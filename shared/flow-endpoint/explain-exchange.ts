import type * as z from 'zod/mini';
import { timestamp } from '#shared/base/time.ts';
import { connectionErrorTexts } from '#shared/delivery/texts.ts';
import type { ErrorClass } from '#shared/egress/egress-error.ts';
import { lookUp } from '#shared/flow-json/document/shapes.ts';
import type { Explain } from '#shared/http/error-entry.ts';
import { fill, type Language, type Text } from '#shared/http/language.ts';
import {
  type ExchangeFinding,
  type ExchangeRecord,
  type Fault,
  faultExplanation,
  findingExplanation,
} from './exchange-record.ts';
import type { exchangeListSchema } from './schema.ts';

type ExchangeObject = z.infer<typeof exchangeListSchema>['data'][number];

export function toExchangeObject(record: ExchangeRecord, language: Language): ExchangeObject {
  return {
    ...record,
    at: timestamp(record.at),
    explanation: explainExchange(record, language),
    findings: record.findings.map((finding) => ({ ...finding, explanation: explainFinding(finding, language) })),
  };
}

/** Explains a faulty exchange and what to do about it; returns `null` if nothing is wrong. */
export function explainExchange(record: ExchangeRecord, language: Language): string | null {
  const explanation = faultExplanation(record);
  return explanation ? explainExchangeFault(explanation, language) : null;
}

export function explainFinding(finding: ExchangeFinding, language: Language): string {
  return explainExchangeFault(findingExplanation(finding), language);
}

export const explainExchangeFault: Explain = ({ code, values }, language) => {
  const fault = code.replace('exchange.', '');
  const text = lookUp<string>(texts[language], fault) ?? lookUp<Text>(connectionErrorTexts, fault)?.[language];
  if (text === undefined) throw new Error(`There is no text for ${code}`);
  return fill(text, values ?? {});
};

type OwnFault = Exclude<Fault, ErrorClass> | 'timeout';

/** The texts of faults, language by language. Connection errors use those of notifications, except for the timeout. */
const texts: Readonly<Record<Language, Readonly<Record<OwnFault, string>>>> = {
  en: {
    timeout:
      'The endpoint did not respond within {duration} ms. Phones wait 10 seconds for the whole exchange, so respond much faster.',
    undecryptable:
      "The request could not be decrypted: the phone did not use a public key of this workspace. Ask the operator to register the number's key again.",
    unsigned: 'The endpoint was not called: the workspace has no number with a secret to sign the request.',
    'invalid-flow-token':
      'The endpoint was not called: the flow token was altered, has expired or was made for another Flow. The phone got 427 and ended the Flow.',
    'cannot-decrypt':
      "The endpoint cannot decrypt the request (421): its private key does not match the number's public key.",
    'bad-signature':
      "The endpoint rejected the signature (432). Verify it with this service's app secret, or do not verify it.",
    status: 'The endpoint returned {status} instead of 200.',
    'too-large': 'The response is larger than 1 MB.',
    'not-base64':
      'The response is not base64. The phone expects only the encrypted response in base64: no quotes, no JSON.',
    'not-encrypted': "The response cannot be decrypted. Encrypt it with the request's key and its inverted IV.",
    'not-json': 'The response is not a JSON object.',
    'too-deep': 'The response has more than 200 nesting levels.',
    'not-active': 'The health check expects {"data": {"status": "active"}}.',
    'no-screen': 'The response names no screen. Return {"screen": "…", "data": {…}}.',
    'unknown-screen': 'The Flow does not have the screen that the endpoint named.',
    'invalid-data':
      'The response has data of the wrong type: data must be an object, error_message a string, and the final params an object.',
    'no-route': 'The routing_model has no route between the current screen and {path}. Phones do not go there.',
    'undeclared-data': 'The response has {path}, which its screen does not declare. Phones may reject or ignore it.',
    'missing-data': 'The response lacks {path}, which its screen declares. Phones may show nothing in its place.',
    'wrong-type':
      'In the response, {path} does not have the type that its screen declares ({expected}). Phones may reject it.',
    'no-params': 'The final response has no {path}. Put the flow_token and the data for the business there.',
    'no-flow-token': "The final response has no {path}. Repeat the request's flow_token there.",
    'not-acknowledged': 'The phone reported an error and expects {"data": {"acknowledged": true}}.',
  },
  'pt-BR': {
    timeout:
      'O endpoint não respondeu em {duration} ms. Os telefones esperam 10 segundos pela troca inteira; responda bem antes disso.',
    undecryptable:
      'A requisição não pôde ser descriptografada: o telefone não usou uma chave pública deste workspace. Peça ao operador que registre de novo a chave do número.',
    unsigned: 'O endpoint não foi chamado: o workspace não tem um número com segredo para assinar a requisição.',
    'invalid-flow-token':
      'O endpoint não foi chamado: o flow token foi alterado, expirou ou foi criado para outro Flow. O telefone recebeu 427 e encerrou o Flow.',
    'cannot-decrypt': 'O endpoint não consegue descriptografar (421): sua chave privada não corresponde à do número.',
    'bad-signature':
      'O endpoint rejeitou a assinatura (432). Verifique-a com o app secret deste serviço ou não a verifique.',
    status: 'O endpoint retornou {status} em vez de 200.',
    'too-large': 'A resposta é maior que 1 MB.',
    'not-base64':
      'A resposta não está em base64. O telefone espera só a resposta criptografada em base64: sem aspas, sem JSON.',
    'not-encrypted': 'A resposta não pode ser descriptografada. Use a chave da requisição e o IV invertido.',
    'not-json': 'A resposta não é um objeto JSON.',
    'too-deep': 'A resposta tem mais de 200 níveis de aninhamento.',
    'not-active': 'A verificação de saúde espera {"data": {"status": "active"}}.',
    'no-screen': 'A resposta não indica uma tela. Retorne {"screen": "…", "data": {…}}.',
    'unknown-screen': 'O Flow não tem a tela que o endpoint indicou.',
    'invalid-data':
      'A resposta tem dados de tipo errado: data deve ser um objeto, error_message um texto, e o params final um objeto.',
    'no-route': 'O routing_model não tem rota entre a tela atual e {path}. Os telefones não vão para lá.',
    'undeclared-data': 'A resposta tem {path}, que a tela não declara. Os telefones podem rejeitá-lo ou ignorá-lo.',
    'missing-data': 'Falta {path} na resposta, e a tela o declara. Os telefones podem não mostrar nada em seu lugar.',
    'wrong-type': 'Na resposta, {path} não tem o tipo que a tela declara ({expected}). Os telefones podem rejeitá-lo.',
    'no-params': 'A resposta final não tem {path}. Coloque ali o flow_token e os dados para a empresa.',
    'no-flow-token': 'A resposta final não tem {path}. Repita ali o flow_token da requisição.',
    'not-acknowledged': 'O telefone relatou um erro e espera {"data": {"acknowledged": true}}.',
  },
  es: {
    timeout:
      'El endpoint no respondió en {duration} ms. Los teléfonos esperan 10 segundos por todo el intercambio; responda mucho antes.',
    undecryptable:
      'La solicitud no se pudo descifrar: el teléfono no usó una clave pública de este espacio de trabajo. Pida al operador que registre de nuevo la clave del número.',
    unsigned: 'No se llamó al endpoint: el espacio de trabajo no tiene un número con secreto para firmar la solicitud.',
    'invalid-flow-token':
      'No se llamó al endpoint: el flow token fue alterado, ha caducado o se creó para otro Flow. El teléfono recibió 427 y terminó el Flow.',
    'cannot-decrypt':
      'El endpoint no puede descifrar la solicitud (421): su clave privada no corresponde a la del número.',
    'bad-signature':
      'El endpoint rechazó la firma (432). Verifíquela con el app secret de este servicio o no la verifique.',
    status: 'El endpoint devolvió {status} en lugar de 200.',
    'too-large': 'La respuesta supera 1 MB.',
    'not-base64':
      'La respuesta no está en base64. El teléfono espera solo la respuesta cifrada en base64: sin comillas, sin JSON.',
    'not-encrypted': 'La respuesta no se puede descifrar. Cífrela con la clave de la solicitud y su IV invertido.',
    'not-json': 'La respuesta no es un objeto JSON.',
    'too-deep': 'La respuesta tiene más de 200 niveles de anidamiento.',
    'not-active': 'La comprobación de estado espera {"data": {"status": "active"}}.',
    'no-screen': 'La respuesta no indica una pantalla. Devuelva {"screen": "…", "data": {…}}.',
    'unknown-screen': 'El Flow no tiene la pantalla que indicó el endpoint.',
    'invalid-data':
      'La respuesta tiene datos de tipo incorrecto: data debe ser un objeto, error_message un texto y el params final un objeto.',
    'no-route': 'El routing_model no tiene ruta entre la pantalla actual y {path}. Los teléfonos no van allí.',
    'undeclared-data':
      'La respuesta tiene {path}, que la pantalla no declara. Los teléfonos pueden rechazarlo o ignorarlo.',
    'missing-data':
      'Falta {path} en la respuesta, y la pantalla lo declara. Los teléfonos pueden no mostrar nada en su lugar.',
    'wrong-type':
      'En la respuesta, {path} no tiene el tipo que la pantalla declara ({expected}). Los teléfonos pueden rechazarlo.',
    'no-params': 'La respuesta final no tiene {path}. Ponga allí el flow_token y los datos para la empresa.',
    'no-flow-token': 'La respuesta final no tiene {path}. Repita allí el flow_token de la solicitud.',
    'not-acknowledged': 'El teléfono informó de un error y espera {"data": {"acknowledged": true}}.',
  },
};
