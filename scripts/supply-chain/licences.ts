import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'

/** Licences whose packages may be shipped in a product under Apache-2.0 without asking anything of its users. */
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

/** Fonts may be shipped under this one; it binds changed fonts only. */
const FONT_LICENCE = 'OFL-1.1'
const FONT_PACKAGE = /^@fontsource/

/** Whether a package may be shipped: one of its choices, or each of its parts, is permissive. An unknown licence is refused. */
export function isPermissive(name: string, licence: string | undefined): boolean {
  if (licence === undefined) return false
  if (licence === FONT_LICENCE) return FONT_PACKAGE.test(name)
  const names = licence.replaceAll(/[()]/g, '').trim()
  // "A OR B AND C" would need brackets to be understood; nobody writes it, and it falls through to a refusal.
  if (names.includes(' OR ') && names.includes(' AND ')) return false
  if (names.includes(' OR ')) return names.split(' OR ').some((choice) => PERMISSIVE.has(choice.trim()))
  return names.split(' AND ').every((part) => PERMISSIVE.has(part.trim()))
}

/** Licences of what is installed, by name@version: as declared, or else as their texts are recognised. */
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

/** Several are a choice nobody has stated, so all must hold. A star says that a text was recognised. */
function oneExpression(licenses: string | string[]): string {
  return [licenses].flat().join(' AND ').replaceAll('*', '')
}
