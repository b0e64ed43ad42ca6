import { code, table } from '../table.ts'
import { drawImports } from './draw-imports.ts'
import { type Package, readPackages } from './read-packages.ts'

/** Sizes are rounded, so that the page does not change with every line. */
const COARSE = 500

export function codeMap(): string {
  const packages = readPackages()
  const rows = packages.map((one) => [
    `[${one.path}](#${anchorOf(one)})`,
    plain(one.knows),
    sizeOf(one.lines),
    sizeOf(one.testLines),
    one.imports.map((path) => code(path.replace('packages/', ''))).join(', '),
  ])
  return `# Map of the code

What each package knows, how large it is, and what it imports, as its sources say it; [architecture](../../ARCHITECTURE.md)
explains its structure. Lines are rounded to ${COARSE}.

Made from the sources by \`npm run docs:write\`.

![Which package imports which](../images/code-map.svg)

${table(['Package', 'Knows', 'Lines', 'Of tests', 'Imports of ours'], rows)}

${packages.map(sectionOf).join('\n\n')}
`
}

/** The same as an image. */
export const codeMapPicture = (): string => drawImports(readPackages())

function sectionOf(one: Package): string {
  const rows = one.parts.map(({ name, does }) => [code(name), plain(does)])
  return `## ${one.path}\n\n${table(['In its sources', 'Says of itself'], rows)}`
}

function anchorOf({ path }: Package): string {
  return path.replace('/', '')
}

function sizeOf(lines: number): string {
  const rounded = Math.round(lines / COARSE) * COARSE
  return rounded === 0 ? `below ${COARSE}` : rounded.toLocaleString('en')
}

/** Comments are not Markdown: tags and templates in them are escaped. */
function plain(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '&lt;').replaceAll('{{', '{ {')))
    .join('')
}
