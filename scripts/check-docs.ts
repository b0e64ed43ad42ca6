import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findProblems } from './docs/find-problems.ts'
import { findHardPages, measurePages, readabilityTable } from './docs/readability.ts'
import { REFERENCES } from './docs/references.ts'

/**
 * Checks that everything the documents name exists, that generated pages are current and that sentences are short. `--write` generates them.
 * `--readability` prints the words per sentence of each page instead, beside the earlier ones of the report that it names.
 */
const root = join(import.meta.dirname, '..')
const readability = process.argv.indexOf('--readability')
if (readability !== -1) {
  const report = process.argv[readability + 1]
  console.log(readabilityTable(await measurePages(root), report && (await readFile(report, 'utf8'))))
  process.exit()
}
const write = process.argv.includes('--write')

const stale: string[] = []
for (const [path, make] of Object.entries(REFERENCES)) {
  const fresh = make()
  const stored = await readFile(join(root, path), 'utf8').catch(() => undefined)
  if (stored === fresh) continue
  if (!write) {
    stale.push(`${path} is out of date: run npm run docs:write`)
    continue
  }
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), fresh)
  console.log(`wrote ${path}`)
}

const problems = [...stale, ...(await findProblems(root)), ...(await findHardPages(root))]
for (const problem of problems) console.error(problem)
console.log(problems.length === 0 ? 'docs: every path, link and script exists' : `docs: ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
