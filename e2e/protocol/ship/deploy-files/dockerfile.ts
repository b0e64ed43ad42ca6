export interface Instruction {
  /** In capitals: `RUN`, `COPY` … */
  readonly word: string
  /** The arguments on one line, with build arguments filled in. */
  readonly rest: string
}

export interface Stage {
  /** The name after `AS`; the last stage usually has none. */
  readonly name: string | undefined
  readonly base: string
  readonly instructions: readonly Instruction[]
}

/** Parses the part of the format that our file uses. Anything else is an error. */
export function parseDockerfile(text: string): Stage[] {
  const stages: { name: string | undefined; base: string; instructions: Instruction[] }[] = []
  const variables = new Map<string, string>()
  for (const line of logicalLines(text)) {
    const [, word = '', given = ''] = /^([A-Z]+)\s+(.+)$/s.exec(line) ?? []
    if (!KNOWN.has(word)) throw new Error(`not understood: ${line}`)
    const rest = given.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => variables.get(name) ?? whole)
    if (word === 'ARG') variables.set(...readPair(rest))
    else if (word === 'FROM') {
      const [base = '', , name] = rest.split(/\s+/)
      stages.push({ name, base, instructions: [] })
    } else if (stages.length === 0) throw new Error(`before the first FROM: ${line}`)
    else stages.at(-1)!.instructions.push({ word, rest })
  }
  return stages
}

const KNOWN = new Set(
  'ARG FROM WORKDIR COPY RUN LABEL ENV USER VOLUME EXPOSE STOPSIGNAL HEALTHCHECK ENTRYPOINT CMD'.split(' '),
)

/** `name=value`, without quotes. */
function readPair(text: string): [string, string] {
  const [, name, value] = /^(\w+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) throw new Error(`not of the form name=value: ${text}`)
  return [name, value]
}

/** The arguments of the last instruction of a kind. */
export function lastOf({ instructions }: Stage, word: string): string | undefined {
  return instructions.findLast((instruction) => instruction.word === word)?.rest
}

function logicalLines(text: string): string[] {
  const lines = text.split('\n').filter((line) => !/^\s*#/.test(line))
  return lines
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
