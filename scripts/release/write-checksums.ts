import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export const CHECKSUMS = 'SHA256SUMS'

/** A line for each file of the folder, in the form that `sha256sum --check` reads. */
export async function writeChecksums(folder: string): Promise<readonly string[]> {
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
