export function toLine(entry: Record<string, unknown>, args: readonly unknown[]): string;
export function installJsonConsole(currentRequestId: () => string | undefined, lowestLevel: string | undefined): void;
