import chromium from '@sparticuz/chromium';

/** Unpacks the packaged Chromium into the folder for temporary files. */
await chromium.executablePath();
