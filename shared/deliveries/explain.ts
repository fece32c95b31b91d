import { type Language, render, type Text } from '../language/language.ts';
import type { ErrorClass } from '../outgoing/errors.ts';
import type { AttemptRecord } from './delivery.ts';

/** What to do about an attempt that failed, in words; `null` for one that did not. */
export function explainAttempt({ status, error }: AttemptRecord, language: Language): string | null {
  if (error !== undefined) return explainError(error, language);
  if (status === undefined || status === 200) return null;
  return render(statusText(status), language, { status });
}

/** What to do about a connection that failed, in words. */
export function explainError(error: ErrorClass, language: Language): string {
  return render(errorTexts[error], language);
}

function statusText(status: number): Text {
  if (status < 300) return statusTexts.otherSuccess;
  return status < 400 ? statusTexts.redirect : statusTexts.failure;
}

const statusTexts = {
  otherSuccess: {
    en: 'The receiver answered {status}. Only exactly 200 counts as received: answer 200.',
    'pt-BR': 'O receptor respondeu {status}. Somente exatamente 200 conta como recebido: responda 200.',
    es: 'El receptor respondió {status}. Solo exactamente 200 cuenta como recibido: responda 200.',
  },
  redirect: {
    en: 'The receiver answered {status}. Redirects are not followed: set the URL that it leads to.',
    'pt-BR': 'O receptor respondeu {status}. Redirecionamentos não são seguidos: defina a URL de destino.',
    es: 'El receptor respondió {status}. Las redirecciones no se siguen: defina la URL a la que lleva.',
  },
  failure: {
    en: 'The receiver answered {status} instead of 200.',
    'pt-BR': 'O receptor respondeu {status} em vez de 200.',
    es: 'El receptor respondió {status} en lugar de 200.',
  },
} as const satisfies Record<string, Text>;

const errorTexts: Record<ErrorClass, Text> = {
  'invalid-url': {
    en: 'The URL cannot be called. Set another one.',
    'pt-BR': 'A URL não pode ser chamada. Defina outra.',
    es: 'La URL no se puede llamar. Defina otra.',
  },
  'forbidden-address': {
    en: 'The host name leads to a private, local or reserved address, which is never called.',
    'pt-BR': 'O nome do host leva a um endereço privado, local ou reservado, que nunca é chamado.',
    es: 'El nombre del host lleva a una dirección privada, local o reservada, que nunca se llama.',
  },
  dns: {
    en: 'The host name could not be resolved. Check its DNS records.',
    'pt-BR': 'O nome do host não pôde ser resolvido. Verifique os registros DNS.',
    es: 'No se pudo resolver el nombre del host. Revise sus registros DNS.',
  },
  refused: {
    en: 'The receiver refused the connection: nothing listens on that port.',
    'pt-BR': 'O receptor recusou a conexão: nada escuta nessa porta.',
    es: 'El receptor rechazó la conexión: nada escucha en ese puerto.',
  },
  unreachable: {
    en: 'There is no route to the receiver.',
    'pt-BR': 'Não há rota até o receptor.',
    es: 'No hay ruta hasta el receptor.',
  },
  'connect-timeout': {
    en: 'The connection to the receiver was not established in time. A firewall may be in between.',
    'pt-BR': 'A conexão com o receptor não foi estabelecida a tempo. Pode haver um firewall no caminho.',
    es: 'La conexión con el receptor no se estableció a tiempo. Puede haber un cortafuegos en medio.',
  },
  tls: {
    en: 'No TLS connection could be made. Check that the certificate is valid for the host name, complete and not expired.',
    'pt-BR':
      'Não foi possível estabelecer uma conexão TLS. Verifique se o certificado vale para o nome do host, está completo e não expirou.',
    es: 'No se pudo establecer una conexión TLS. Revise que el certificado sea válido para el host, esté completo y no haya caducado.',
  },
  timeout: {
    en: 'The receiver did not answer in time. Answer 200 first and do the work afterwards.',
    'pt-BR': 'O receptor não respondeu a tempo. Responda 200 primeiro e processe depois.',
    es: 'El receptor no respondió a tiempo. Responda 200 primero y procese después.',
  },
  reset: {
    en: 'The receiver broke the connection off.',
    'pt-BR': 'O receptor interrompeu a conexão.',
    es: 'El receptor cortó la conexión.',
  },
  'closed-early': {
    en: 'The receiver closed the connection before its answer was complete.',
    'pt-BR': 'O receptor fechou a conexão antes de completar a resposta.',
    es: 'El receptor cerró la conexión antes de completar la respuesta.',
  },
  'headers-too-large': {
    en: 'The headers of the answer are too large.',
    'pt-BR': 'Os cabeçalhos da resposta são grandes demais.',
    es: 'Los encabezados de la respuesta son demasiado grandes.',
  },
  'invalid-response': {
    en: 'The answer is not valid HTTP.',
    'pt-BR': 'A resposta não é HTTP válido.',
    es: 'La respuesta no es HTTP válido.',
  },
};
