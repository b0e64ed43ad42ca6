import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** Where everything that a run makes is put; git does not see it. */
export const OUT = fileURLToPath(new URL('../../out/', import.meta.url))
export const NATIVE = fileURLToPath(new URL('../../native/', import.meta.url))
export const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))

/** A folder below `OUT`, made when it is missing. */
export async function outFolder(name: string): Promise<string> {
  const path = `${OUT}${name}/`
  await mkdir(path, { recursive: true })
  return path
}
