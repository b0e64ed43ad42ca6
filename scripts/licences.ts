import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isPermissive, readLicences } from './supply-chain/licences.ts'
import { type Lockfile, productionTree } from './supply-chain/production-tree.ts'

/** `npm run licences`: fails when a shipped package has no permissive licence. */
const root = join(import.meta.dirname, '..')
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
