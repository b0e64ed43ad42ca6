import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { code, table } from './table.ts'

/** Limits in words. Longer sentences are read twice. */
export const LIMITS = { average: 18, longest: 35 } as const

export interface Readability {
  readonly sentences: number
  /** Words per sentence. */
  readonly average: number
  readonly longest: { readonly words: number; readonly text: string }
}

/** English pages that are written by hand. Reports and decisions are dated, the changelog is a list, and some references are generated. */
const MEASURED = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/**/*.md']
const NOT_MEASURED =
  /^docs\/(?:zh|adr|reports|reference\/api)\/|^docs\/(?:\.vitepress\/|project\/(?:changelog|code-map)|reference\/(?:api|errors|providers)\.md)/

/** The readability of every page by path. */
export async function measurePages(root: string): Promise<Map<string, Readability>> {
  const paths: string[] = []
  for await (const path of glob(MEASURED, { cwd: root })) if (!NOT_MEASURED.test(path)) paths.push(path)
  const pages = new Map<string, Readability>()
  for (const path of paths.toSorted()) {
    const page = measure(await readFile(join(root, path), 'utf8'))
    if (page.sentences > 0) pages.set(path, page) // others include a document of the repository
  }
  return pages
}

/** One line for each page that is hard to read. */
export async function findHardPages(root: string): Promise<string[]> {
  const problems: string[] = []
  for (const [path, { average, longest }] of await measurePages(root)) {
    if (average > LIMITS.average) problems.push(`${path}: ${average.toFixed(1)} words per sentence on average`)
    if (longest.words > LIMITS.longest) problems.push(`${path}: ${longest.words} words in “${longest.text}”`)
  }
  return problems
}

/**
 * The table of the pages as a report shows it. A report that has the table already gives what the pages had before; new pages had nothing.
 */
export function readabilityTable(pages: ReadonlyMap<string, Readability>, report = ''): string {
  const before = new Map([...report.matchAll(ROW)].map(([, page, average, longest]) => [page, [average!, longest!]]))
  const rows = [...pages].map(([path, { average, longest }]) => {
    const page = path.replace(/^docs\//, '')
    return [code(page), ...(before.get(page) ?? ['–', '–']), average.toFixed(1), String(longest.words)]
  })
  return table(['Page', 'Average before', 'Longest before', 'Average now', 'Longest now'], rows, [
    '---',
    '--:',
    '--:',
    '--:',
    '--:',
  ])
}

/** A row of the table: page, average and longest sentence before. */
const ROW = /^\| `([^`]+)` \| ([\d.]+|–) \| (\d+|–) \|/gm

/** Code in a sentence counts as one word. Cells of tables are short, so they do not count for the average. */
export function measure(markdown: string): Readability {
  const blocks = blocksOf(markdown)
  const prose = sentencesIn(blocks.filter(({ isCell }) => !isCell))
  const words = prose.reduce((sum, sentence) => sum + sentence.words, 0)
  const longest = sentencesIn(blocks).reduce((most, sentence) => (sentence.words > most.words ? sentence : most), {
    text: '',
    words: 0,
  })
  return { sentences: prose.length, average: prose.length === 0 ? 0 : words / prose.length, longest }
}

interface Block {
  readonly text: string
  /** Whether it is a cell of a table. */
  readonly isCell: boolean
}

function blocksOf(markdown: string): Block[] {
  const prose = markdown
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replaceAll(/^[ \t]*(```+|~~~+)[\s\S]*?^[ \t]*\1[ \t]*$/gm, '\n')
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/`[^`\n]+`/g, 'code')
    .replaceAll(/<[^>]+>|[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}/g, '')
  return prose
    .split(/\n\s*\n|\n(?=\s*(?:[-*] |\d+\. |\||#|:::))/)
    .flatMap((block) => {
      const isCell = block.trimStart().startsWith('|')
      return (isCell ? block.split('|') : [block]).map((text) => ({ text: plain(text), isCell }))
    })
    .filter(({ text }) => text !== '' && !text.startsWith('#') && !/^[-: ]+$/.test(text))
}

const plain = (block: string) =>
  block
    .replace(/^\s*(?:[-*] |\d+\. |:::.*)/, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

function sentencesIn(blocks: readonly Block[]): { text: string; words: number }[] {
  return blocks
    .flatMap(({ text }) => sentencesOf(text))
    .map((text) => ({ text, words: countWords(text) }))
    .filter(({ words }) => words > 2) // labels
}

const ABBREVIATION = /\b(?:e\.g|i\.e|etc|vs|No)\.$/

function sentencesOf(block: string): string[] {
  const sentences: string[] = []
  for (const part of block.split(/(?<=[.!?][")”’]*)\s+(?=["“(]?[\p{Lu}\p{N}]|code\b)/u)) {
    const last = sentences.at(-1)
    if (last !== undefined && ABBREVIATION.test(last)) sentences[sentences.length - 1] = `${last} ${part}`
    else sentences.push(part)
  }
  return sentences
}

const countWords = (text: string): number => text.match(/[\p{L}\p{N}][\p{L}\p{N}'’./_-]*/gu)?.length ?? 0
