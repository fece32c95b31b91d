import type { Text } from '#shared/http/language.ts';

/** What each code of sending templates means and what to do about it. */
export const templateErrorTexts = {
  'template-classification': {
    en: 'The platform limits this business account because templates were submitted in the wrong category. The limit ends by itself after a time that the platform sets; until then, sending again does not help. Correct the categories of the templates, and see WhatsApp Manager.',
    'pt-BR':
      'A plataforma limita esta conta comercial porque modelos foram enviados na categoria errada. O limite termina sozinho depois de um tempo que a plataforma define; até lá, enviar de novo não adianta. Corrija as categorias dos modelos e consulte o WhatsApp Manager.',
    es: 'La plataforma limita esta cuenta comercial porque se presentaron plantillas en la categoría equivocada. El límite termina por sí solo después de un tiempo que fija la plataforma; hasta entonces, enviar de nuevo no sirve. Corrija las categorías de las plantillas y consulte WhatsApp Manager.',
  },
  'template-disabled': {
    en: 'The template was paused too often and is now disabled for good. Create a new template with other content.',
    'pt-BR': 'O modelo foi pausado vezes demais e está desativado para sempre. Crie um novo modelo com outro conteúdo.',
    es: 'La plantilla se pausó demasiadas veces y quedó desactivada para siempre. Cree una plantilla nueva con otro contenido.',
  },
  'template-not-available': {
    en: 'The template is not available for marketing messages: the platform could not prepare it, or the business account may not send them. Send it as an ordinary message, or check the account in WhatsApp Manager.',
    'pt-BR':
      'O modelo não está disponível para mensagens de marketing: a plataforma não conseguiu prepará-lo, ou a conta comercial não pode enviá-las. Envie-o como uma mensagem comum ou verifique a conta no WhatsApp Manager.',
    es: 'La plantilla no está disponible para los mensajes de marketing: la plataforma no pudo prepararla, o la cuenta comercial no puede enviarlos. Envíela como un mensaje común o revise la cuenta en WhatsApp Manager.',
  },
  'template-not-found': {
    en: 'The template does not exist in this language or is not approved. Check its name and its language code in WhatsApp Manager.',
    'pt-BR':
      'O modelo não existe neste idioma ou não está aprovado. Confira o nome e o código de idioma dele no WhatsApp Manager.',
    es: 'La plantilla no existe en este idioma o no está aprobada. Compruebe su nombre y su código de idioma en WhatsApp Manager.',
  },
  'template-parameter-count': {
    en: 'The number of parameters differs from the number of variables in the template. Send exactly one for each variable.',
    'pt-BR':
      'A quantidade de parâmetros difere da quantidade de variáveis do modelo. Envie exatamente um para cada variável.',
    es: 'La cantidad de parámetros difiere de la cantidad de variables de la plantilla. Envíe exactamente uno por variable.',
  },
  'template-parameter-format': {
    en: 'A parameter does not have the format that the template defines for it. Compare the parameters with the template in WhatsApp Manager.',
    'pt-BR':
      'Um parâmetro não tem o formato que o modelo define para ele. Compare os parâmetros com o modelo no WhatsApp Manager.',
    es: 'Un parámetro no tiene el formato que la plantilla define para él. Compare los parámetros con la plantilla en WhatsApp Manager.',
  },
  'template-parameter-invalid': {
    en: "A parameter of the template is not valid, for example because it has a line break, a tab or many spaces in a row. Correct the one that the platform's own words name, then send again.",
    'pt-BR':
      'Um parâmetro do modelo é inválido, por exemplo porque tem uma quebra de linha, uma tabulação ou muitos espaços seguidos. Corrija o que as palavras da plataforma indicam e envie de novo.',
    es: 'Un parámetro de la plantilla no es válido, por ejemplo porque tiene un salto de línea, una tabulación o muchos espacios seguidos. Corrija el que indican las palabras de la plataforma y envíe de nuevo.',
  },
  'template-paused': {
    en: 'The platform has paused the template because of its low quality. Improve it, or wait until WhatsApp Manager shows it as active.',
    'pt-BR':
      'A plataforma pausou o modelo por causa da sua baixa qualidade. Melhore-o ou espere até o WhatsApp Manager mostrá-lo como ativo.',
    es: 'La plataforma pausó la plantilla por su baja calidad. Mejórela o espere hasta que WhatsApp Manager la muestre como activa.',
  },
  'template-policy': {
    en: 'The content of the template violates a policy of the platform. WhatsApp Manager shows the reason for the rejection.',
    'pt-BR': 'O conteúdo do modelo viola uma política da plataforma. O WhatsApp Manager mostra o motivo da recusa.',
    es: 'El contenido de la plantilla infringe una política de la plataforma. WhatsApp Manager muestra el motivo del rechazo.',
  },
  'template-rejected': {
    en: "The platform rejected the template message. Compare its components with the template in WhatsApp Manager; the platform's own words name the reason.",
    'pt-BR':
      'A plataforma rejeitou a mensagem de modelo. Compare os componentes com o modelo no WhatsApp Manager; as palavras da plataforma dizem o motivo.',
    es: 'La plataforma rechazó el mensaje de plantilla. Compare sus componentes con la plantilla en WhatsApp Manager; las palabras de la plataforma indican el motivo.',
  },
  'template-syncing': {
    en: 'The platform is still preparing the template for marketing messages, which takes up to ten minutes.',
    'pt-BR': 'A plataforma ainda está preparando o modelo para mensagens de marketing, o que leva até dez minutos.',
    es: 'La plataforma aún está preparando la plantilla para los mensajes de marketing, lo que tarda hasta diez minutos.',
  },
  'template-text-too-long': {
    en: 'The text of the template is too long once its parameters are filled in. Shorten the parameters.',
    'pt-BR': 'O texto do modelo fica longo demais com os parâmetros preenchidos. Encurte os parâmetros.',
    es: 'El texto de la plantilla queda demasiado largo con los parámetros completados. Acorte los parámetros.',
  },
} satisfies Readonly<Record<string, Text>>;
