import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Lockfile, productionTree } from './production-tree.ts'
import { writeSbom } from './sbom.ts'

const root = join(import.meta.dirname, '../..')

describe('the production tree', () => {
  const lockfile: Lockfile = {
    packages: {
      '': {},
      'apps/server': { name: 'server', version: '1.0.0', dependencies: { part: '1.0.0', twice: '^1' } },
      'apps/console': { name: 'console', version: '1.0.0', dependencies: { view: '^1' } },
      'packages/part': {
        name: 'part',
        version: '1.0.0',
        dependencies: { twice: '^2' },
        optionalDependencies: { gone: '1' },
      },
      'node_modules/part': { link: true, resolved: 'packages/part' },
      'node_modules/twice': { version: '1.5.0', license: 'MIT' },
      'packages/part/node_modules/twice': { version: '2.0.0', license: 'ISC' },
      'node_modules/view': {
        version: '1.1.0',
        peerDependencies: { peer: '1', fancy: '1' },
        peerDependenciesMeta: { fancy: { optional: true } },
      },
      'node_modules/peer': { version: '1.2.0' },
      'node_modules/fancy': { version: '1.3.0' },
      'node_modules/tester': { version: '1.4.0' },
    },
  }
  const found = productionTree(lockfile).map(({ name, version }) => `${name}@${version}`)

  it('follows dependencies from the apps, each to the version it would load', () => {
    expect(found.sort()).toEqual([
      'console@1.0.0',
      'part@1.0.0',
      'peer@1.2.0',
      'server@1.0.0',
      'twice@1.5.0',
      'twice@2.0.0',
      'view@1.1.0',
    ])
  })

  it('distinguishes our own packages from others', () => {
    const ours = productionTree(lockfile).filter((one) => one.ours)
    expect(ours.map(({ name }) => name).sort()).toEqual(['console', 'part', 'server'])
  })
})

describe('the bill of materials', () => {
  it('lists everything that is shipped and no tools', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tidegate-sbom-'))
    const file = join(folder, 'tidegate.cdx.json')
    await writeSbom(root, file)
    const bom = JSON.parse(await readFile(file, 'utf8')) as {
      bomFormat: string
      metadata: { component: { name: string; type: string } }
      components: { name: string; version: string; purl: string }[]
      dependencies: { ref: string; dependsOn: string[] }[]
    }
    await rm(folder, { recursive: true })

    expect(bom).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { name: 'tidegate', type: 'application' } },
    })
    const names = bom.components.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['fastify', 'react', 'react-dom', 'undici', '@tidegate/gateway']))
    expect(names).not.toContain('vitest')
    expect(names).not.toContain('playwright-core')
    expect(names).not.toContain('@tidegate/testing')
    const refs = new Set(bom.dependencies.map(({ ref }) => ref))
    expect(bom.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref))).toEqual([])
  })
})
