import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeBom } from './sbom.ts'
import { type Lockfile, productionTree } from './production-tree.ts'

/** Writes the CycloneDX document of the product; gives back how many packages it names beside the product. */
export async function writeSbom(root: string, file: string): Promise<number> {
  const lockfile = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lockfile
  const bom = makeBom(productionTree(lockfile))
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(bom, null, 2)}\n`)
  return bom.components.length
}
