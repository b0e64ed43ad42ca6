import { readdir, readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'

/** Optional packages of libraries that work without them. */
const MAY_BE_ABSENT = new Set(['@node-rs/xxhash', 'bufferutil', 'cardinal', 'pg-native', 'utf-8-validate'])

/**
 * The packages that the bundle still loads at run time. Only native modules should be left; anything else means that
 * the bundle is incomplete.
 */
export async function findExternals(directory: string): Promise<string[]> {
  const files = (await readdir(directory).catch(() => [])).filter((name) => name.endsWith('.mjs'))
  if (!files.includes('tidegate.mjs')) throw new Error('There is nothing to pack yet: run `npm run build` first.')
  const found = new Set<string>()
  for (const file of files) for (const name of importsOf(await readFile(join(directory, file), 'utf8'))) found.add(name)
  const strange = [...found].filter((name) => !name.startsWith('@node-rs/'))
  if (strange.length > 0) throw new Error(`The bundle imports what it does not hold: ${strange.join(', ')}`)
  return [...found].toSorted()
}

/** By statements at the beginning of a line, as a bundler writes them, and by calls of \`require\` it makes for itself. */
export function importsOf(code: string): string[] {
  const names = [
    ...code.matchAll(/^(?:import|export)\b[^;'"]*?\bfrom ?["']([^"']+)["']/gm),
    ...code.matchAll(/^import ?["']([^"']+)["']/gm),
    ...code.matchAll(/\bimport\(["']([^"']+)["']\)/g),
    ...code.matchAll(/\b__require\(["']([^"']+)["']\)/g),
  ].map(([, name]) => name!)
  const isOutside = (name: string) => !/^[./]/.test(name) && !isBuiltin(name) && !MAY_BE_ABSENT.has(packageOf(name))
  return names.filter(isOutside).map(packageOf)
}

function packageOf(name: string): string {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/')
}
