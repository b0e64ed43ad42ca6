import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')
/** How many modules are listed for a folder without a description. */
const MAX_NAMES = 10

export interface Package {
  /** `packages/ledger` */
  readonly path: string
  readonly knows: string
  readonly lines: number
  readonly testLines: number
  /** Paths of our packages that its sources import, without tests. */
  readonly imports: readonly string[]
  readonly parts: readonly Part[]
}

/** A folder or a module at the top of a package. */
export interface Part {
  readonly name: string
  readonly does: string
}

interface Source {
  readonly path: string
  readonly text: string
}

/** Every package and app, described by its files. */
export function readPackages(): Package[] {
  return ['apps', 'packages'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => existsSync(join(ROOT, folder, name, 'src')))
      .map((name) => readPackage(`${folder}/${name}`)),
  )
}

function readPackage(path: string): Package {
  const sources = sourcesOf(join(ROOT, path, 'src'))
  const product = sources.filter((source) => !isTest(source.path.slice(join(ROOT, path, 'src').length)))
  return {
    path,
    knows: lineOfTree(path),
    lines: linesOf(product),
    testLines: linesOf(sources) - linesOf(product),
    imports: importsOf(product).filter((imported) => imported !== path),
    parts: partsOf(join(ROOT, path, 'src'), product),
  }
}

function sourcesOf(directory: string): Source[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|tsx|css)$/.test(name))
    .toSorted()
    .map((name) => ({ path: join(directory, name), text: readFileSync(join(directory, name), 'utf8') }))
}

function isTest(path: string): boolean {
  return /\.test\.tsx?$|\/test-[^/]+$|\/(?:testing|golden|conformance)\//.test(path)
}

function linesOf(sources: readonly Source[]): number {
  return sources.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)
}

/** The purpose of the package in the tree of ARCHITECTURE.md. */
function lineOfTree(path: string): string {
  const tree = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')
  return new RegExp(`^${path}\\s+(.+)$`, 'm').exec(tree)?.[1] ?? ''
}

function importsOf(sources: readonly Source[]): string[] {
  const names = sources.flatMap(({ text }) =>
    [...text.matchAll(/from '@tidegate\/([a-z]+)(?:\/[a-z-]+)?'/g)].map((match) => `packages/${match[1]!}`),
  )
  return [...new Set(names)].toSorted()
}

function partsOf(src: string, product: readonly Source[]): Part[] {
  const folders = readdirSync(src, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const modules = product.filter(
    ({ path }) => !path.slice(src.length + 1).includes('/') && !/\/index\.tsx?$/.test(path),
  )
  return [
    ...folders.map(({ name }) => ({
      name: `${name}/`,
      does: describePart(within(product, join(src, name)), join(src, name)),
    })),
    ...modules.map((source) => ({ name: source.path.slice(src.length + 1), does: sentenceOf(source.text) })),
  ]
    .filter(({ does }) => does !== '')
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function within(sources: readonly Source[], folder: string): Source[] {
  return sources.filter(({ path }) => path.startsWith(`${folder}/`))
}

/** The description of the module with the name of the folder, or of its index; else the names of its modules. */
function describePart(sources: readonly Source[], folder: string): string {
  const named = sources.find(({ path }) => path.endsWith(`${folder}/${basename(folder)}.ts`))
  const index = sources.find(({ path }) => /^index\.tsx?$/.test(path.slice(folder.length + 1)))
  const sentences = [named, index].map((source) => (source === undefined ? '' : sentenceOf(source.text)))
  return sentences.find((sentence) => sentence !== '') ?? namesIn(sources, folder)
}

function namesIn(sources: readonly Source[], folder: string): string {
  const inner = sources.map(({ path }) => path.slice(folder.length + 1).replace(/\/.*|\.(?:module\.)?\w+$/, ''))
  const names = [...new Set(inner)].filter((name) => name !== 'index')
  const shown = names.slice(0, MAX_NAMES).map((name) => `\`${name}\``)
  return [...shown, ...(names.length > MAX_NAMES ? ['…'] : [])].join(', ')
}

/** The first sentence of the first comment before an export, or at the top. */
function sentenceOf(text: string): string {
  const comment =
    /(?:^|\n)\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n(?:export|import|const|await|function)/.exec(text)?.[1] ?? ''
  const sentence = comment
    .replaceAll(/\n\s*\*/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return /^.+?[.!?](?= |$)/.exec(sentence)?.[0] ?? sentence
}
