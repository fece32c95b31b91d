import type { ErrorClass } from '#shared/domain/egress/sender.ts';
import { type Language, render, type Text } from './language/language.ts';

/** What to do about a connection that failed, in words. */
export function explainError(error: ErrorClass, language: Language): string {
  return render(connectionErrorTexts[error], language);
}

export const connectionErrorTexts: Readonly<Record<ErrorClass, Text>> = {
  'invalid-url': {
    en: 'The URL cannot be called. Set another one.',
    'pt-BR': 'A URL não pode ser chamada. Defina outra.',
    es: 'La URL no se puede llamar. Defina otra.',
  },
  'own-address': {
    en: 'The URL is an address of this service itself, which the service never calls. Set another one.',
    'pt-BR': 'A URL é um endereço deste próprio serviço, que o serviço nunca chama. Defina outra.',
    es: 'La URL es una dirección de este mismo servicio, a la que el servicio nunca llama. Defina otra.',
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
    en: 'The connection was refused: nothing listens on that port.',
    'pt-BR': 'A conexão foi recusada: nada escuta nessa porta.',
    es: 'La conexión fue rechazada: nada escucha en ese puerto.',
  },
  unreachable: {
    en: 'There is no route to the address of the host.',
    'pt-BR': 'Não há rota até o endereço do host.',
    es: 'No hay ruta hasta la dirección del host.',
  },
  'connect-timeout': {
    en: 'The connection was not established in time. A firewall may be in between.',
    'pt-BR': 'A conexão não foi estabelecida a tempo. Pode haver um firewall no caminho.',
    es: 'La conexión no se estableció a tiempo. Puede haber un cortafuegos en medio.',
  },
  tls: {
    en: 'No TLS connection could be made. Check that the certificate is valid for the host name, complete and not expired.',
    'pt-BR':
      'Não foi possível estabelecer uma conexão TLS. Verifique se o certificado vale para o nome do host, está completo e não expirou.',
    es: 'No se pudo establecer una conexión TLS. Revise que el certificado sea válido para el host, esté completo y no haya caducado.',
  },
  timeout: {
    en: 'There was no answer in time. Answer 200 first and do the work afterwards.',
    'pt-BR': 'Não houve resposta a tempo. Responda 200 primeiro e processe depois.',
    es: 'No hubo respuesta a tiempo. Responda 200 primero y procese después.',
  },
  reset: {
    en: 'The other side broke the connection off.',
    'pt-BR': 'O outro lado interrompeu a conexão.',
    es: 'El otro lado cortó la conexión.',
  },
  'closed-early': {
    en: 'The connection was closed before the answer was complete.',
    'pt-BR': 'A conexão foi fechada antes de a resposta estar completa.',
    es: 'La conexión se cerró antes de completar la respuesta.',
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
