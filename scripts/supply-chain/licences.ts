import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Lockfile, productionTree } from './production-tree.ts'

/** Licences that allow shipping in an Apache-2.0 product without obligations for its users. */
const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PostgreSQL',
  'Unlicense',
  'Zlib',
])

/** Fonts may be shipped under this licence; it restricts modified fonts only. */
const FONT_LICENCE = 'OFL-1.1'
const FONT_PACKAGE = /^@fontsource/

/**
 * Whether a package may be shipped: one of its alternatives, or each of its parts, is permissive. An unknown licence is
 * rejected.
 */
export function isPermissive(name: string, licence: string | undefined): boolean {
  if (licence === undefined) return false
  if (licence === FONT_LICENCE) return FONT_PACKAGE.test(name)
  const names = licence.replaceAll(/[()]/g, '').trim()
  // "A OR B AND C" is ambiguous without brackets; no package uses it, and it is rejected.
  if (names.includes(' OR ') && names.includes(' AND ')) return false
  if (names.includes(' OR ')) return names.split(' OR ').some((choice) => PERMISSIVE.has(choice.trim()))
  return names.split(' AND ').every((part) => PERMISSIVE.has(part.trim()))
}

/** Licences of installed packages by name@version: as declared, or else as recognized from their texts. */
async function readLicences(root: string): Promise<ReadonlyMap<string, string>> {
  const checker = createRequire(import.meta.url).resolve(
    'license-checker-rseidelsohn/bin/license-checker-rseidelsohn.js',
  )
  const { stdout } = await promisify(execFile)(process.execPath, [checker, '--json', '--start', root], {
    maxBuffer: 64 * 1024 ** 2,
  })
  const found = JSON.parse(stdout) as Record<string, { licenses: string | string[] }>
  return new Map(Object.entries(found).map(([id, { licenses }]) => [id, oneExpression(licenses)]))
}

/** Several licences are an unstated choice, so all must be permissive. A star marks a recognized text. */
function oneExpression(licenses: string | string[]): string {
  return [licenses].flat().join(' AND ').replaceAll('*', '')
}

/** Fails when a shipped package has no permissive licence. */
async function checkLicences(root: string): Promise<void> {
  const lockfile = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lockfile
  const installed = await readLicences(root)
  const counts: Record<string, number> = {}
  const rejected: string[] = []
  for (const { name, version, license, ours } of productionTree(lockfile)) {
    if (ours) continue
    const id = `${name}@${version}`
    // Packages for other platforms are not installed here; the lockfile has their licence.
    const found = installed.get(id) ?? license
    counts[found ?? 'unknown'] = (counts[found ?? 'unknown'] ?? 0) + 1
    if (!isPermissive(name, found)) rejected.push(`${id} is under ${found ?? 'no licence that can be read'}`)
  }
  for (const line of rejected) console.error(line)
  const kinds = Object.entries(counts).sort(([, one], [, other]) => other - one)
  console.log(
    `licences: ${kinds.map(([kind, count]) => `${count} ${kind}`).join(', ')}; ` +
      (rejected.length === 0 ? 'nothing copyleft' : `${rejected.length} may not be shipped`),
  )
  process.exitCode = rejected.length === 0 ? 0 : 1
}

if (import.meta.main) await checkLicences(join(import.meta.dirname, '../..'))
