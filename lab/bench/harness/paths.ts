import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** The folder of everything that a run creates; ignored by git. */
export const OUT = fileURLToPath(new URL('../../out/', import.meta.url))
export const NATIVE = fileURLToPath(new URL('../../native/', import.meta.url))
export const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))

/** A folder below `OUT`, created if missing. */
export async function outFolder(name: string): Promise<string> {
  const path = `${OUT}${name}/`
  await mkdir(path, { recursive: true })
  return path
}
