import type { Language, Text } from '#shared/http/language.ts';

/** Texts of the page's script. The page gets them in one language only. */
const texts = {
  back: { en: 'Back', 'pt-BR': 'Voltar', es: 'Atrás' },
  menu: { en: 'Menu', 'pt-BR': 'Menu', es: 'Menú' },
  open: { en: 'Open', 'pt-BR': 'Abrir', es: 'Abrir' },
  restart: { en: 'Restart', 'pt-BR': 'Recomeçar', es: 'Reiniciar' },
  waiting: { en: 'Waiting for the endpoint…', 'pt-BR': 'Aguardando o endpoint…', es: 'Esperando al endpoint…' },
  completed: { en: 'Flow completed', 'pt-BR': 'Flow concluído', es: 'Flow completado' },
  completedText: {
    en: 'The business receives this:',
    'pt-BR': 'A empresa recebe isto:',
    es: 'La empresa recibe esto:',
  },
  sensitive: {
    en: 'Hidden from the chat summary: {names}.',
    'pt-BR': 'Oculto no resumo da conversa: {names}.',
    es: 'Oculto en el resumen del chat: {names}.',
  },
  managed: { en: 'Managed by the business.', 'pt-BR': 'Gerenciado pela empresa.', es: 'Gestionado por la empresa.' },
  unsent: { en: 'No messages are sent.', 'pt-BR': 'Nenhuma mensagem é enviada.', es: 'No se envía ningún mensaje.' },
  nothing: { en: 'There is nothing to show.', 'pt-BR': 'Não há nada para mostrar.', es: 'No hay nada que mostrar.' },
  missingScreen: {
    en: 'The Flow has no screen {screen}.',
    'pt-BR': 'O Flow não tem a tela {screen}.',
    es: 'El Flow no tiene la pantalla {screen}.',
  },
  unknown: {
    en: 'This preview does not support {type}.',
    'pt-BR': 'Esta prévia não suporta {type}.',
    es: 'Esta vista previa no admite {type}.',
  },
  failed: {
    en: '{type} could not be displayed.',
    'pt-BR': 'Não foi possível exibir {type}.',
    es: 'No se pudo mostrar {type}.',
  },
  optional: { en: 'optional', 'pt-BR': 'opcional', es: 'opcional' },
  choose: { en: 'Choose…', 'pt-BR': 'Escolha…', es: 'Elija…' },
  atLeast: { en: 'at least {min}', 'pt-BR': 'no mínimo {min}', es: 'al menos {min}' },
  atMost: { en: 'at most {max}', 'pt-BR': 'no máximo {max}', es: 'como máximo {max}' },
  characters: {
    en: '{count} of {max} characters',
    'pt-BR': '{count} de {max} caracteres',
    es: '{count} de {max} caracteres',
  },
  readMore: { en: 'Read more', 'pt-BR': 'Leia mais', es: 'Leer más' },
  previous: { en: 'Previous', 'pt-BR': 'Anterior', es: 'Anterior' },
  next: { en: 'Next', 'pt-BR': 'Próxima', es: 'Siguiente' },
  position: { en: '{at} of {count}', 'pt-BR': '{at} de {count}', es: '{at} de {count}' },
  photo: { en: 'Add 1 photo.', 'pt-BR': 'Adicione 1 foto.', es: 'Agregue 1 foto.' },
  document: { en: 'Add 1 document.', 'pt-BR': 'Adicione 1 documento.', es: 'Agregue 1 documento.' },
  photos: {
    en: 'Add {min} to {max} photos.',
    'pt-BR': 'Adicione de {min} a {max} fotos.',
    es: 'Agregue de {min} a {max} fotos.',
  },
  documents: {
    en: 'Add {min} to {max} documents.',
    'pt-BR': 'Adicione de {min} a {max} documentos.',
    es: 'Agregue de {min} a {max} documentos.',
  },
  maxSize: {
    en: 'Max file size {size}.',
    'pt-BR': 'Tamanho máximo do arquivo: {size}.',
    es: 'Tamaño máximo del archivo: {size}.',
  },
  takePhoto: { en: 'Take photo', 'pt-BR': 'Tirar foto', es: 'Tomar foto' },
  uploadPhoto: { en: 'Upload photo', 'pt-BR': 'Enviar foto', es: 'Subir foto' },
  uploadDocument: { en: 'Upload document', 'pt-BR': 'Enviar documento', es: 'Subir documento' },
  learnMore: { en: 'Learn more', 'pt-BR': 'Saiba mais', es: 'Más información' },
  business: { en: 'Business', 'pt-BR': 'Empresa', es: 'Empresa' },
  files: {
    en: 'Files stay in this browser; the Flow gets placeholders.',
    'pt-BR': 'Os arquivos ficam neste navegador; o Flow recebe dados fictícios.',
    es: 'Los archivos se quedan en este navegador; el Flow recibe datos ficticios.',
  },
  remove: { en: 'Remove {name}', 'pt-BR': 'Remover {name}', es: 'Quitar {name}' },
  calendar: { en: 'Open the calendar', 'pt-BR': 'Abrir o calendário', es: 'Abrir el calendario' },
  previousYear: { en: 'Previous year', 'pt-BR': 'Ano anterior', es: 'Año anterior' },
  previousMonth: { en: 'Previous month', 'pt-BR': 'Mês anterior', es: 'Mes anterior' },
  nextMonth: { en: 'Next month', 'pt-BR': 'Próximo mês', es: 'Mes siguiente' },
  nextYear: { en: 'Next year', 'pt-BR': 'Próximo ano', es: 'Año siguiente' },
  close: { en: 'Close', 'pt-BR': 'Fechar', es: 'Cerrar' },
  from: { en: 'From', 'pt-BR': 'De', es: 'Desde' },
  to: { en: 'To', 'pt-BR': 'Até', es: 'Hasta' },
  noImage: {
    en: 'Phones cannot show this image (use base64 of a JPEG or PNG)',
    'pt-BR': 'Os telefones não exibem esta imagem (use base64 de JPEG ou PNG)',
    es: 'Los teléfonos no muestran esta imagen (use base64 de JPEG o PNG)',
  },
  panel: { en: 'Flow details', 'pt-BR': 'Detalhes do Flow', es: 'Detalles del Flow' },
  look: { en: 'Appearance', 'pt-BR': 'Aparência', es: 'Apariencia' },
  light: { en: 'Light', 'pt-BR': 'Claro', es: 'Claro' },
  dark: { en: 'Dark', 'pt-BR': 'Escuro', es: 'Oscuro' },
  screens: { en: 'Screens', 'pt-BR': 'Telas', es: 'Pantallas' },
  terminal: { en: 'final', 'pt-BR': 'final', es: 'final' },
  activity: { en: 'Activity', 'pt-BR': 'Atividade', es: 'Actividad' },
  noActivity: { en: 'Nothing has happened yet.', 'pt-BR': 'Nada aconteceu ainda.', es: 'Aún no ha pasado nada.' },
  findings: { en: 'Findings', 'pt-BR': 'Problemas', es: 'Problemas' },
  noFindings: {
    en: 'The validator found no problems.',
    'pt-BR': 'O validador não encontrou problemas.',
    es: 'El validador no encontró problemas.',
  },
  error: { en: 'error', 'pt-BR': 'erro', es: 'error' },
  warning: { en: 'warning', 'pt-BR': 'aviso', es: 'aviso' },
  request: { en: 'Request', 'pt-BR': 'Requisição', es: 'Solicitud' },
  answer: { en: 'Response', 'pt-BR': 'Resposta', es: 'Respuesta' },
  copy: { en: 'Copy', 'pt-BR': 'Copiar', es: 'Copiar' },
  copyLink: { en: 'Copy link', 'pt-BR': 'Copiar link', es: 'Copiar enlace' },
  copied: { en: 'Copied', 'pt-BR': 'Copiado', es: 'Copiado' },
  unreachable: {
    en: 'The preview could not reach the service.',
    'pt-BR': 'A prévia não conseguiu acessar o serviço.',
    es: 'La vista previa no pudo acceder al servicio.',
  },
  over: {
    en: 'This preview has expired. Ask for a new link.',
    'pt-BR': 'Esta prévia expirou. Peça um novo link.',
    es: 'Esta vista previa expiró. Pida un enlace nuevo.',
  },
  required: { en: 'Fill in this field.', 'pt-BR': 'Preencha este campo.', es: 'Complete este campo.' },
  'too-short': {
    en: 'At least {limit} characters.',
    'pt-BR': 'No mínimo {limit} caracteres.',
    es: 'Al menos {limit} caracteres.',
  },
  'too-long': {
    en: 'At most {limit} characters.',
    'pt-BR': 'No máximo {limit} caracteres.',
    es: 'Como máximo {limit} caracteres.',
  },
  'not-a-number': { en: 'Enter a number.', 'pt-BR': 'Digite um número.', es: 'Ingrese un número.' },
  'not-an-email': {
    en: 'Enter an e-mail address.',
    'pt-BR': 'Digite um e-mail.',
    es: 'Ingrese un correo electrónico.',
  },
  'not-a-phone-number': { en: 'Enter a phone number.', 'pt-BR': 'Digite um telefone.', es: 'Ingrese un teléfono.' },
  'not-digits': { en: 'Enter digits only.', 'pt-BR': 'Digite somente dígitos.', es: 'Ingrese solo dígitos.' },
  pattern: {
    en: 'This does not match the required format.',
    'pt-BR': 'Isto não está no formato exigido.',
    es: 'Esto no tiene el formato requerido.',
  },
  'too-few': { en: 'Choose at least {limit}.', 'pt-BR': 'Escolha no mínimo {limit}.', es: 'Elija al menos {limit}.' },
  'too-many': {
    en: 'Choose at most {limit}.',
    'pt-BR': 'Escolha no máximo {limit}.',
    es: 'Elija como máximo {limit}.',
  },
  'not-an-option': {
    en: 'This option is not available.',
    'pt-BR': 'Esta opção não está disponível.',
    es: 'Esta opción no está disponible.',
  },
  'not-a-date': { en: 'Enter a date.', 'pt-BR': 'Digite uma data.', es: 'Ingrese una fecha.' },
  'too-early': { en: 'Not before {limit}.', 'pt-BR': 'Não antes de {limit}.', es: 'No antes de {limit}.' },
  'too-late': { en: 'Not after {limit}.', 'pt-BR': 'Não depois de {limit}.', es: 'No después de {limit}.' },
  'unavailable-date': {
    en: 'This date is not available.',
    'pt-BR': 'Esta data não está disponível.',
    es: 'Esta fecha no está disponible.',
  },
  'not-a-period': {
    en: 'Choose the first and the last day.',
    'pt-BR': 'Escolha o primeiro e o último dia.',
    es: 'Elija el primer y el último día.',
  },
  'too-few-days': { en: 'At least {limit} days.', 'pt-BR': 'No mínimo {limit} dias.', es: 'Al menos {limit} días.' },
  'too-many-days': { en: 'At most {limit} days.', 'pt-BR': 'No máximo {limit} dias.', es: 'Como máximo {limit} días.' },
  'file-too-large': {
    en: 'At most {limit} for each file.',
    'pt-BR': 'No máximo {limit} por arquivo.',
    es: 'Como máximo {limit} por archivo.',
  },
  'wrong-file-type': {
    en: 'Only files of these types: {limit}.',
    'pt-BR': 'Somente arquivos destes tipos: {limit}.',
    es: 'Solo archivos de estos tipos: {limit}.',
  },
} as const satisfies Record<string, Text>;

export type PageTextName = keyof typeof texts;

/** Texts in one language; `{name}` stands for a value. */
export type PageTexts = Readonly<Record<PageTextName, string>>;

export function pageTexts(language: Language): PageTexts {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text[language]])) as PageTexts;
}
