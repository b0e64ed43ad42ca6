import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeRelease } from './release/make-release.ts'

/** `npm run release -- <version> [--dry-run]`: everything of a release except the commit, the tag and the upload. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false } },
})
const [version] = positionals
try {
  if (version === undefined) throw new Error('give the version to release, such as 1.2.0')
  await makeRelease({
    root: join(import.meta.dirname, '..'),
    version,
    date: new Date().toISOString().slice(0, 10),
    dryRun: values['dry-run'],
    log: (line) => console.log(line),
  })
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}
