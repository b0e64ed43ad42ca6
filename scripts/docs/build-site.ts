import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { build } from 'vitepress'
import { llmsText, pageMarkdown } from '../../docs/.vitepress/markdown-pages.ts'

const ROOT = join(import.meta.dirname, '../..')
const SITE = join(ROOT, 'docs/.vitepress/dist/index.html')
const MARK = join(ROOT, '.cache/docs-site/built-from')
/** The sources of the site. */
const SOURCES = [
  '*.md',
  'docs/**/*.{md,svg,png}',
  'docs/.vitepress/*.ts',
  'docs/.vitepress/theme/*',
  'package-lock.json',
]

/** Builds the documentation site unless it is up to date with its sources. */
const sum = await sumOf(SOURCES)
if (existsSync(SITE) && (await readFile(MARK, 'utf8').catch(() => '')) === sum) {
  console.log('the documentation site is up to date')
} else {
  await build(join(ROOT, 'docs'))
  await writeMarkdown()
  await mkdir(dirname(MARK), { recursive: true })
  await writeFile(MARK, sum)
}

/** Writes every page as Markdown beside its HTML, and the list of pages for language models. */
async function writeMarkdown(): Promise<void> {
  const exists = (page: string) => existsSync(join(ROOT, 'docs', page))
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
  const site = dirname(SITE)
  for await (const page of glob('**/*.md', { cwd: join(ROOT, 'docs') })) {
    await writeFile(join(site, page), pageMarkdown(page, { read, exists }))
  }
  await writeFile(join(site, 'llms.txt'), llmsText(exists))
}

async function sumOf(patterns: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  const paths: string[] = []
  for await (const path of glob(patterns, { cwd: ROOT })) paths.push(path)
  for (const path of paths.toSorted()) hash.update(path).update(await readFile(join(ROOT, path)))
  return hash.digest('hex')
}
