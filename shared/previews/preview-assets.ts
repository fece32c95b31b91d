import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** The files that the preview page loads. Their names change with their content. */
export interface AssetNames {
  script: string;
  style: string;
}

export interface Asset {
  content: Buffer;
  gzipped: Buffer;
  mediaType: string;
}

const mediaTypes = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' } as const;

export type PreviewAssets = ReturnType<typeof previewAssets>;

/** Reads the preview page's files, on first use, from the folder beside the function into which the build puts them. */
export function previewAssets(folder: URL) {
  let files: readonly string[] | undefined;
  const assets = new Map<string, Asset>();
  const list = () => {
    files ??= readdirSync(folder);
    return files;
  };
  const fileNameOf = (extension: keyof typeof mediaTypes): string => {
    const found = list().find((file) => file.endsWith(`.${extension}`));
    if (found === undefined) throw new Error(`The build has put no .${extension} file beside the function`);
    return found;
  };

  return {
    names: (): AssetNames => ({ script: fileNameOf('js'), style: fileNameOf('css') }),

    read(file: string): Asset | undefined {
      const extension = (['js', 'css'] as const).find((name) => file.endsWith(`.${name}`));
      // Only names in the folder's listing are opened, so no name can lead out of the folder.
      if (extension === undefined || !list().includes(file)) return undefined;
      const remembered = assets.get(file);
      if (remembered) return remembered;
      const content = readFileSync(new URL(file, folder));
      const asset = { content, gzipped: gzipSync(content, { level: 9 }), mediaType: mediaTypes[extension] };
      assets.set(file, asset);
      return asset;
    },
  };
}
