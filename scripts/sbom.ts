import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { writeSbom } from './supply-chain/sbom.ts'

/** `npm run sbom [-- --out <file>]`: writes the bill of materials of the product as CycloneDX. */
const root = join(import.meta.dirname, '..')
const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'dist/tidegate.cdx.json') } } })

const count = await writeSbom(root, values.out)
console.log(`sbom: ${count} packages in ${relative(process.cwd(), values.out)}`)
