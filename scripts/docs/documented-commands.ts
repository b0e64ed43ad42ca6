import { COMMANDS } from '../../apps/server/src/commands/help.ts'

/** At the start of a command, also after variables and in pipes. Elsewhere `tidegate` is a name, such as of a namespace. */
const INVOCATION =
  /(?:^|[;&|(])[ \t]*(?:\w+=\S*[ \t]+)*(tidegate[ \t]+([a-z]+)(?:[ \t]+(?:\\\n[ \t]*)?[^\s|;&>#()]+)*)/gm

/** Commands of `tidegate` in a text that name a command or an option that does not exist. */
export function findUnknownCommands(text: string): string[] {
  return [...text.matchAll(INVOCATION)].flatMap(([, command = '', name = '']) => {
    const known = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
    if (known === undefined) return [`there is no command tidegate ${name}`]
    const documented = [...known.usage, ...(known.options ?? []).map(([option]) => option)].join(' ')
    const options = new Set([...(documented.match(/--[a-z-]+/g) ?? []), '--help'])
    return (command.match(/--[a-z-]+/g) ?? [])
      .filter((option) => !options.has(option))
      .map((option) => `${option} is not an option of tidegate ${name}: ${command}`)
  })
}
