import type { ErrorClass } from '#shared/domain/egress/sender.ts';
import type { ExchangeFinding, ExchangeRecord } from '#shared/domain/flow-endpoint/exchange-record.ts';
import type { Fault } from '#shared/domain/flow-endpoint/fault.ts';
import { faultExplanation, findingExplanation } from '#shared/domain/flow-endpoint/fault-explanation.ts';
import { connectionErrorTexts } from '../connection-errors.ts';
import type { Explain } from '../errors/explain.ts';
import { type Language, render, type Text } from '../language/language.ts';

/** What is wrong with an exchange and what to do about it; `null` when nothing is. */
export function explainExchange(record: ExchangeRecord, language: Language): string | null {
  const explanation = faultExplanation(record);
  return explanation ? explainExchangeFault(explanation, language) : null;
}

/** What a response lacks that its Flow declares. */
export function explainFinding(finding: ExchangeFinding, language: Language): string {
  return explainExchangeFault(findingExplanation(finding), language);
}

export const explainExchangeFault: Explain = ({ code, values }, language) => {
  const text = texts.get(code.replace('exchange.', ''));
  if (!text) throw new Error(`There is no text for ${code}`);
  return render(text, language, values);
};

/** What a connection fails by is explained as for notifications, but for the time that there is to answer. */
const faultTexts: Readonly<Record<Exclude<Fault, ErrorClass> | 'timeout', Text>> = {
  timeout: {
    en: 'The endpoint did not answer within {duration} ms. Phones wait 10 seconds for the whole exchange: keep it well below that.',
    'pt-BR':
      'O endpoint não respondeu em {duration} ms. Os telefones esperam 10 segundos pela troca inteira: fique bem abaixo disso.',
    es: 'El endpoint no respondió en {duration} ms. Los teléfonos esperan 10 segundos por todo el intercambio: quédese muy por debajo.',
  },
  undecryptable: {
    en: 'The request could not be decrypted: the phone used another public key than those of this workspace. Have the key registered again for the number.',
    'pt-BR':
      'A solicitação não pôde ser descriptografada: o telefone usou outra chave pública que não as deste workspace. Peça o novo registro da chave para o número.',
    es: 'La solicitud no se pudo descifrar: el teléfono usó otra clave pública que las de este espacio de trabajo. Pida que se registre de nuevo la clave para el número.',
  },
  unsigned: {
    en: 'The endpoint was not asked: the workspace has no number whose secret could sign the request.',
    'pt-BR': 'O endpoint não foi consultado: o workspace não tem número cujo segredo pudesse assinar a solicitação.',
    es: 'No se consultó el endpoint: el espacio de trabajo no tiene ningún número cuyo secreto pudiera firmar la solicitud.',
  },
  'cannot-decrypt': {
    en: 'The endpoint says that it cannot decrypt the request (421): its private key is not that of the number.',
    'pt-BR': 'O endpoint diz que não consegue descriptografar (421): sua chave privada não é a do número.',
    es: 'El endpoint dice que no puede descifrar la solicitud (421): su clave privada no es la del número.',
  },
  'bad-signature': {
    en: 'The endpoint refuses the signature (432). It is made with the app secret of this service: check it with that, or not at all.',
    'pt-BR':
      'O endpoint recusa a assinatura (432). Ela é feita com o segredo do aplicativo deste serviço: verifique com ele, ou não verifique.',
    es: 'El endpoint rechaza la firma (432). Se hace con el secreto de la aplicación de este servicio: compruébela con él, o no la compruebe.',
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
  'not-encrypted': {
    en: 'The answer cannot be decrypted: encrypt it with the key of the request and its inverted IV.',
    'pt-BR': 'A resposta não pode ser descriptografada: use a chave da solicitação e o IV invertido.',
    es: 'La respuesta no se puede descifrar: cífrela con la clave de la solicitud y su IV invertido.',
  },
  'not-json': {
    en: 'The answer is not a JSON object.',
    'pt-BR': 'A resposta não é um objeto JSON.',
    es: 'La respuesta no es un objeto JSON.',
  },
  'too-deep': {
    en: 'The answer nests arrays and objects deeper than 200 levels.',
    'pt-BR': 'A resposta aninha listas e objetos além de 200 níveis.',
    es: 'La respuesta anida listas y objetos a más de 200 niveles.',
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
  'no-route': {
    en: 'The routing_model has no route between the screen that asked and {path}: phones refuse to go there.',
    'pt-BR': 'O routing_model não tem rota entre a tela que pediu e {path}: os telefones se recusam a ir até ela.',
    es: 'El routing_model no tiene ruta entre la pantalla que preguntó y {path}: los teléfonos se niegan a ir allí.',
  },
  'undeclared-data': {
    en: 'The answer has {path}, which its screen does not declare: phones may refuse or ignore it.',
    'pt-BR': 'A resposta tem {path}, que sua tela não declara: os telefones podem recusar ou ignorar.',
    es: 'La respuesta tiene {path}, que su pantalla no declara: los teléfonos pueden rechazarlo o ignorarlo.',
  },
  'missing-data': {
    en: 'The answer does not have {path}, which its screen declares: phones may show nothing in its place.',
    'pt-BR': 'A resposta não tem {path}, que sua tela declara: os telefones podem não mostrar nada em seu lugar.',
    es: 'La respuesta no tiene {path}, que su pantalla declara: los teléfonos pueden no mostrar nada en su lugar.',
  },
  'wrong-type': {
    en: 'In the answer {path} is not of the type that its screen declares ({expected}): phones may refuse it.',
    'pt-BR': 'Na resposta {path} não é do tipo que sua tela declara ({expected}): os telefones podem recusar.',
    es: 'En la respuesta {path} no es del tipo que su pantalla declara ({expected}): los teléfonos pueden rechazarlo.',
  },
  'no-params': {
    en: 'The last answer has no {path}: put the flow_token and what the business is to receive there.',
    'pt-BR': 'A última resposta não tem {path}: coloque ali o flow_token e o que a empresa deve receber.',
    es: 'La última respuesta no tiene {path}: ponga allí el flow_token y lo que la empresa debe recibir.',
  },
  'no-flow-token': {
    en: 'The last answer has no {path}: repeat the flow_token of the request there.',
    'pt-BR': 'A última resposta não tem {path}: repita ali o flow_token da solicitação.',
    es: 'La última respuesta no tiene {path}: repita allí el flow_token de la solicitud.',
  },
  'not-acknowledged': {
    en: 'The phone reported an error and expects {"data": {"acknowledged": true}}.',
    'pt-BR': 'O telefone relatou um erro e espera {"data": {"acknowledged": true}}.',
    es: 'El teléfono informó de un error y espera {"data": {"acknowledged": true}}.',
  },
};

const texts = new Map<string, Text>(Object.entries({ ...connectionErrorTexts, ...faultTexts }));
