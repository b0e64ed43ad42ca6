import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { missingPlatforms } from '../pack/shrinkwrap.ts'
import { unpinnedImages } from '../supply-chain/images.ts'
import type { Lockfile } from '../supply-chain/production-tree.ts'
import { writeSbom } from '../supply-chain/sbom.ts'
import { cutChangelog, setVersion } from './new-version.ts'
import { runNpm } from './run-npm.ts'

const COMPLETE_LOCKFILE = 'remove the entry of the module and run npm install --package-lock-only without node_modules'

interface ReleaseOptions {
  readonly root: string
  readonly version: string
  /** Such as 2026-11-15. */
  readonly date: string
  /** Reports what would be written, and writes nothing. */
  readonly dryRun: boolean
  log(line: string): void
}

/** Raises the version, cuts the changelog and writes the artifacts to `dist/release`. Commits and publishes nothing. */
export async function makeRelease({ root, version, date, dryRun, log }: ReleaseOptions): Promise<void> {
  // All checks run here, before the first file is written.
  const problems = await supplyProblems(root)
  if (problems.length > 0 && !dryRun) throw new Error(problems.join('\n'))
  for (const problem of problems) log(`would fail: ${problem}`)
  const files = await setVersion(root, version)
  const { changelog, notes } = cutChangelog(await readFile(join(root, 'CHANGELOG.md'), 'utf8'), version, date)
  files.set('CHANGELOG.md', changelog)
  const packs = 'pack' in (JSON.parse(files.get('package.json')!) as { scripts: object }).scripts
  const sbom = `tidegate-${version}.cdx.json`
  const folder = join(root, 'dist/release')
  if (dryRun) {
    for (const path of files.keys()) log(`would write ${path}`)
    const laidOut = ['NOTES.md', sbom, ...(packs ? [`tidegate-${version}.tgz`] : []), CHECKSUMS]
    for (const name of laidOut) log(`would make dist/release/${name}`)
    log(`notes of ${version}, ${date}:\n${notes}`)
    return
  }
  for (const [path, text] of files) await writeFile(join(root, path), text)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'NOTES.md'), notes)
  await writeSbom(root, join(folder, sbom))
  if (packs) await pack(root, version, folder)
  for (const name of await writeChecksums(folder)) log(`made dist/release/${name}`)
  log(`${version} is ready: look at the changes, commit them and tag the commit v${version}`)
}

/** What prevents a release from being reproducible. */
async function supplyProblems(root: string): Promise<string[]> {
  const unpinned = await unpinnedImages(root)
  const missing = missingPlatforms(JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lockfile)
  return [
    ...(unpinned.length > 0 ? [`images without a digest: ${unpinned.join(', ')}; run npm run images:pin`] : []),
    ...(missing.length > 0 ? [`package-lock.json lacks ${missing.join(', ')}; ${COMPLETE_LOCKFILE}`] : []),
  ]
}

async function pack(root: string, version: string, folder: string): Promise<void> {
  const { code, stderr } = await runNpm(root, ['run', '-s', 'pack', '--', '--output', folder, '--verify'])
  if (code !== 0) throw new Error(`npm run pack failed: ${stderr}`)
  const tarball = `tidegate-${version}.tgz`
  if (!(await readdir(folder)).includes(tarball)) throw new Error(`npm run pack left no ${tarball}`)
}

const CHECKSUMS = 'SHA256SUMS'

/** Writes a line for each file of the folder, in the format of `sha256sum --check`. */
async function writeChecksums(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => name !== CHECKSUMS).sort()
  const lines = await Promise.all(
    names.map(async (name) => {
      const hash = createHash('sha256').update(await readFile(join(folder, name)))
      return `${hash.digest('hex')}  ${name}`
    }),
  )
  await writeFile(join(folder, CHECKSUMS), `${lines.join('\n')}\n`)
  return names
}

/** `npm run release -- <version> [--dry-run]`: everything of a release except the commit, the tag and the upload. */
async function runRelease(root: string): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false } },
  })
  const [version] = positionals
  try {
    if (version === undefined) throw new Error('give the version to release, such as 1.2.0')
    const date = new Date().toISOString().slice(0, 10)
    await makeRelease({ root, version, date, dryRun: values['dry-run'], log: (line) => console.log(line) })
  } catch (error) {
    console.error(`release: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}

if (import.meta.main) await runRelease(join(import.meta.dirname, '../..'))
