import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { type Lockfile, type ProductionPackage, productionTree } from './production-tree.ts'

/** Writes the CycloneDX document of the product. Returns how many packages it lists besides the product. */
export async function writeSbom(root: string, file: string): Promise<number> {
  const lockfile = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lockfile
  const bom = makeBom(productionTree(lockfile))
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(bom, null, 2)}\n`)
  return bom.components.length
}

interface Component {
  type: 'application' | 'library'
  'bom-ref': string
  name: string
  version: string
  purl: string
  licenses?: [{ license: { id: string } } | { expression: string }]
  hashes?: [{ alg: string; content: string }]
}

interface Bom {
  bomFormat: 'CycloneDX'
  specVersion: '1.5'
  version: 1
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: readonly string[] }[]
}

const PRODUCT = 'tidegate'

/**
 * A CycloneDX document of the product. It contains no time and no serial number: the same lockfile produces the same
 * bytes.
 */
function makeBom(packages: readonly ProductionPackage[]): Bom {
  // A package can appear several times in the tree.
  const byRef = new Map<string, ProductionPackage>()
  const needs = new Map<string, Set<string>>()
  for (const one of packages) {
    const ref = `${one.name}@${one.version}`
    byRef.set(ref, one)
    needs.set(ref, new Set([...(needs.get(ref) ?? []), ...one.needs]))
  }
  const components = [...byRef].map(([ref, one]) => componentOf(ref, one))
  const product = components.find(({ name }) => name === PRODUCT)
  if (!product) throw new Error('the product is not among the packages')
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: product },
    components: components.filter((component) => component !== product),
    dependencies: [...needs].map(([ref, dependsOn]) => ({ ref, dependsOn: [...dependsOn] })),
  }
}

function componentOf(ref: string, { name, version, license, integrity }: ProductionPackage): Component {
  const [algorithm, hash] = integrity?.split('-') ?? []
  return {
    type: name === PRODUCT ? 'application' : 'library',
    'bom-ref': ref,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(license !== undefined && {
      licenses: [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }],
    }),
    ...(hash !== undefined && {
      hashes: [
        { alg: algorithm!.toUpperCase().replace('SHA', 'SHA-'), content: Buffer.from(hash, 'base64').toString('hex') },
      ],
    }),
  }
}

/** `npm run sbom [-- --out <file>]` */
async function runSbom(root: string): Promise<void> {
  const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'dist/tidegate.cdx.json') } } })
  const count = await writeSbom(root, values.out)
  console.log(`sbom: ${count} packages in ${relative(process.cwd(), values.out)}`)
}

if (import.meta.main) await runSbom(join(import.meta.dirname, '../..'))
