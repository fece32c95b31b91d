import { listOf, own } from '../../shared/flow-json/json.ts';
import { Group, inputAria } from './field.tsx';
import { asText, type ComponentProps, idOf, isDisabled, nameOf, textOf } from './ui.ts';

export const PhotoPicker = (props: ComponentProps) => <FilePicker {...props} accept="image/jpeg,image/png" />;

export function DocumentPicker(props: ComponentProps) {
  const types = listOf(own(props.component.properties, 'allowed-mime-types')).map(asText);
  return <FilePicker {...props} accept={types.join(',')} />;
}

function FilePicker({ component, ui, accept }: ComponentProps & { accept: string }) {
  const files = listOf(ui.value(nameOf(component)));
  const isCamera = own(component.properties, 'photo-source') === 'camera';
  return (
    <Group component={component} ui={ui}>
      <input
        id={idOf(component, 'files')}
        type="file"
        multiple
        accept={accept}
        {...(isCamera && { capture: 'environment' })}
        disabled={isDisabled(component)}
        aria-label={textOf(component, 'label')}
        onChange={({ currentTarget }) => ui.setValue(component, [...(currentTarget.files ?? [])].map(standIn))}
        {...inputAria(component, ui)}
      />
      <p class="caption">{ui.say('files')}</p>
      {files.length > 0 && (
        <ul class="files">
          {files.map((file) => (
            <li>{asText(own(file, 'file_name'))}</li>
          ))}
        </ul>
      )}
    </Group>
  );
}

/** A media object such as the phone's, of a file that never leaves the browser. */
function standIn({ name, size }: File, index: number) {
  const code = (text: string) => btoa(`preview ${text} ${index}`);
  return {
    file_name: name,
    size,
    media_id: code('media'),
    cdn_url: 'https://example.invalid/preview',
    encryption_metadata: {
      encrypted_hash: code('encrypted hash'),
      iv: code('iv'),
      encryption_key: code('key'),
      hmac_key: code('hmac key'),
      plaintext_hash: code('plaintext hash'),
    },
  };
}
