export interface DocumentedCommand {
  readonly name: string;
  readonly summary: string;
  // biome-ignore lint/suspicious/noExplicitAny: a command's module, as the list of the command has it
  load(): Promise<any>;
}
export function commandPage(link: (page: string) => string, commands?: readonly DocumentedCommand[]): Promise<string>;
