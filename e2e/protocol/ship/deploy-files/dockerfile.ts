export interface Instruction {
  /** In capitals: `RUN`, `COPY` … */
  readonly word: string
  /** What follows it, on one line, with arguments of the build filled in. */
  readonly rest: string
}

export interface Stage {
  /** What it was called by `AS`; the last one mostly has no name. */
  readonly name: string | undefined
  readonly base: string
  readonly instructions: readonly Instruction[]
}

/** Reads the part of the format that our own file uses; anything else is an error, not a guess. */
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

/** What one instruction of a kind says; the last one counts. */
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
