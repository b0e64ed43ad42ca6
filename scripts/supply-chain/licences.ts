import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'

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
export async function readLicences(root: string): Promise<ReadonlyMap<string, string>> {
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
