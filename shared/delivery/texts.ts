import type { ErrorClass } from '#shared/egress/egress-error.ts';
import { type Language, render, type Text } from '#shared/http/language.ts';
import { type AttemptRecord, receivedStatus } from './delivery.ts';

/** Explains a failed attempt and what to do about it; returns `null` if the attempt succeeded. */
export function explainAttempt({ status, error }: AttemptRecord, language: Language): string | null {
  if (error !== undefined) return render(connectionErrorTexts[error], language);
  if (status === undefined || status === receivedStatus) return null;
  return render(statusText(status), language, { status });
}

function statusText(status: number): Text {
  if (status < 300) return statusTexts.otherSuccess;
  if (redirects.has(status)) return statusTexts.redirect;
  if (status < 400) return statusTexts.noRedirect;
  if (status === 401 || status === 403) return statusTexts.rejection;
  if (status === 404 || status === 405) return statusTexts.wrongPath;
  return statusTexts.failure;
}

/** What may lead to another URL (RFC 9110, section 15.4). The others, such as 304, do not say where to go. */
const redirects = new Set([301, 302, 303, 307, 308]);

const statusTexts = {
  otherSuccess: {
    en: 'The receiver returned {status}. Only status 200 counts as delivered. Return 200; if you cannot change it, put a forwarder in front (guide “Receiving webhooks”, “A forwarder”).',
    'pt-BR':
      'O receptor retornou {status}. Somente o status 200 conta como entrega. Retorne 200; se não puder alterá-lo, ponha um encaminhador na frente (guia “Receiving webhooks”, “A forwarder”).',
    es: 'El receptor devolvió {status}. Solo el estado 200 cuenta como entrega. Devuelva 200; si no puede cambiarlo, ponga delante un reenviador (guía “Receiving webhooks”, “A forwarder”).',
  },
  redirect: {
    en: 'The receiver returned {status}, a redirect, and the service follows none. If its Location header names a URL, set that one.',
    'pt-BR':
      'O receptor retornou {status}, um redirecionamento, e o serviço não segue nenhum. Se o cabeçalho Location indicar uma URL, defina essa.',
    es: 'El receptor devolvió {status}, una redirección, y el servicio no sigue ninguna. Si su encabezado Location indica una URL, defina esa.',
  },
  noRedirect: {
    en: 'The receiver returned {status}, which neither accepts the notification nor names another URL for it. Only status 200 counts as delivered. Check the server or the cache at this URL, and return 200.',
    'pt-BR':
      'O receptor retornou {status}, que não aceita a notificação nem indica outra URL para ela. Somente o status 200 conta como entrega. Verifique o servidor ou o cache nessa URL e retorne 200.',
    es: 'El receptor devolvió {status}, que ni acepta la notificación ni indica otra URL para ella. Solo el estado 200 cuenta como entrega. Revise el servidor o la caché en esta URL y devuelva 200.',
  },
  rejection: {
    en: 'The receiver returned {status}: it rejected the notification. Check that its signing secret is the current one.',
    'pt-BR':
      'O receptor retornou {status}: recusou a notificação. Verifique se o segredo de assinatura dele é o atual.',
    es: 'El receptor devolvió {status}: rechazó la notificación. Revise que su secreto de firma sea el actual.',
  },
  wrongPath: {
    en: 'The receiver returned {status}. Check the path of the URL, and that it takes POST requests.',
    'pt-BR': 'O receptor retornou {status}. Verifique o caminho da URL e se ele aceita requisições POST.',
    es: 'El receptor devolvió {status}. Revise la ruta de la URL y que acepte solicitudes POST.',
  },
  failure: {
    en: 'The receiver returned {status} instead of 200. Its own log says why.',
    'pt-BR': 'O receptor retornou {status} em vez de 200. O log dele diz por quê.',
    es: 'El receptor devolvió {status} en lugar de 200. Su propio registro dice por qué.',
  },
} as const satisfies Record<string, Text>;

/** What a failed connection means and what to do about it. */
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
