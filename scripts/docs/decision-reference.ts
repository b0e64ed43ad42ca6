import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { table } from './table.ts'

const DECISIONS = join(import.meta.dirname, '../../docs/adr')

export function decisionReference(): string {
  const rows = readdirSync(DECISIONS)
    .filter((name) => name.endsWith('.md'))
    .toSorted()
    .map((name) => [name.slice(0, 4), `[${titleOf(name)}](../adr/${name})`])
  return `# Decisions

Why things are as they are: the context, what was decided, what follows from it, and what else was considered.

Made from \`docs/adr\` by \`npm run docs:write\`.

${table(['Number', 'Decision'], rows)}
`
}

/** The heading without the number, which has a column of its own. */
function titleOf(name: string): string {
  const heading = /^# (.+)$/m.exec(readFileSync(join(DECISIONS, name), 'utf8'))?.[1] ?? name
  return heading.replace(/^(?:ADR )?\d{4}[.:]?\s*/, '')
}
