import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'

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
