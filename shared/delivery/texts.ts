import type { ErrorClass } from '#shared/egress/egress-error.ts';
import { type Language, render, type Text } from '#shared/http/language.ts';

/** Explains a failed connection and what to do about it. */
export function explainError(error: ErrorClass, language: Language): string {
  return render(connectionErrorTexts[error], language);
}

export const connectionErrorTexts: Readonly<Record<ErrorClass, Text>> = {
  'invalid-url': {
    en: 'The URL is invalid. Set another one.',
    'pt-BR': 'A URL é inválida. Defina outra.',
    es: 'La URL no es válida. Defina otra.',
  },
  'own-address': {
    en: 'The URL is an address of this service, which never calls itself. Set another one.',
    'pt-BR': 'A URL é um endereço deste serviço, que nunca chama a si mesmo. Defina outra.',
    es: 'La URL es una dirección de este servicio, que nunca se llama a sí mismo. Defina otra.',
  },
  'forbidden-address': {
    en: 'The host name resolves to a private, local or reserved address, which is not allowed.',
    'pt-BR': 'O nome do host aponta para um endereço privado, local ou reservado, o que não é permitido.',
    es: 'El nombre del host apunta a una dirección privada, local o reservada, lo cual no se permite.',
  },
  dns: {
    en: 'The host name could not be resolved. Check its DNS records.',
    'pt-BR': 'O nome do host não pôde ser resolvido. Verifique os registros DNS.',
    es: 'No se pudo resolver el nombre del host. Revise sus registros DNS.',
  },
  refused: {
    en: 'The connection was refused: no server is listening on that port.',
    'pt-BR': 'A conexão foi recusada: nenhum servidor escuta nessa porta.',
    es: 'Se rechazó la conexión: ningún servidor escucha en ese puerto.',
  },
  unreachable: {
    en: "There is no route to the host's address.",
    'pt-BR': 'Não há rota até o endereço do host.',
    es: 'No hay ruta hasta la dirección del host.',
  },
  'connect-timeout': {
    en: 'The connection was not established in time. A firewall may be blocking it.',
    'pt-BR': 'A conexão não foi estabelecida a tempo. Um firewall pode estar bloqueando.',
    es: 'La conexión no se estableció a tiempo. Un firewall puede estar bloqueándola.',
  },
  tls: {
    en: 'The TLS connection failed. Check that the certificate is valid for the host name, complete and not expired.',
    'pt-BR':
      'A conexão TLS falhou. Verifique se o certificado é válido para o nome do host, está completo e não expirou.',
    es: 'La conexión TLS falló. Revise que el certificado sea válido para el host, esté completo y no haya vencido.',
  },
  timeout: {
    en: 'There was no response in time. Return 200 first and do the work afterwards.',
    'pt-BR': 'Não houve resposta a tempo. Retorne 200 primeiro e processe depois.',
    es: 'No hubo respuesta a tiempo. Devuelva 200 primero y procese después.',
  },
  reset: {
    en: 'The server closed the connection.',
    'pt-BR': 'O servidor fechou a conexão.',
    es: 'El servidor cerró la conexión.',
  },
  'closed-early': {
    en: 'The connection closed before the response was complete.',
    'pt-BR': 'A conexão se fechou antes de a resposta estar completa.',
    es: 'La conexión se cerró antes de completar la respuesta.',
  },
  'headers-too-large': {
    en: 'The response headers, or the interim responses (1xx) before them, are too large.',
    'pt-BR': 'Os cabeçalhos da resposta, ou as respostas provisórias (1xx) antes deles, são grandes demais.',
    es: 'Los encabezados de la respuesta, o las respuestas provisionales (1xx) anteriores, son demasiado grandes.',
  },
  'invalid-response': {
    en: 'The response is not valid HTTP.',
    'pt-BR': 'A resposta não é HTTP válido.',
    es: 'La respuesta no es HTTP válido.',
  },
};
