import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Lockfile } from '../supply-chain/production-tree.ts'
import { missingPlatforms, shrinkwrapOf } from './shrinkwrap.ts'

const ROOT = join(import.meta.dirname, '../..')
const lockfile = async () => JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as Lockfile

it('contains every direct and indirect dependency with the checksum of the lockfile, and nothing else', async () => {
  const { packages } = await lockfile()
  const dependencies = { '@node-rs/argon2': packages['node_modules/@node-rs/argon2']!.version! }

  const shrinkwrap = shrinkwrapOf({ name: 'tidegate', version: '1.0.0', dependencies }, { packages })

  const { '': own, ...others } = shrinkwrap.packages
  expect(own).toMatchObject({ dependencies })
  expect(others['node_modules/@node-rs/argon2-linux-x64-gnu']).toEqual(
    packages['node_modules/@node-rs/argon2-linux-x64-gnu'],
  )
  for (const [place, { integrity }] of Object.entries(others)) {
    expect(place).toMatch(/^node_modules\/@node-rs\/argon2/)
    expect(integrity, place).toMatch(/^sha512-/)
  }
})

it.each<[string, Lockfile['packages']]>([
  ['is not in the lockfile', {}],
  ['has no checksum', { 'node_modules/a': { version: '1.0.0' } }],
  ['needs one that is not there', { 'node_modules/a': { integrity: 'sha512-x', dependencies: { b: '1' } } }],
])('fails for a dependency that %s', (_name, packages) => {
  expect(() =>
    shrinkwrapOf({ name: 'tidegate', version: '1.0.0', dependencies: { a: '1.0.0' } }, { packages }),
  ).toThrow()
})

it('lists no optional package that is missing from the lockfile', () => {
  const native = { integrity: 'sha512-x', optionalDependencies: { 'a-arm64': '1', 'a-x64': '1' } }
  const packages = { 'node_modules/a': native, 'node_modules/a-x64': { integrity: 'sha512-x' } }

  const shrinkwrap = shrinkwrapOf({ name: 'tidegate', version: '1.0.0', dependencies: { a: '1.0.0' } }, { packages })

  expect(shrinkwrap.packages['node_modules/a']).toEqual({ ...native, optionalDependencies: { 'a-x64': '1' } })
})

it('lists the platforms that are missing from a lockfile', () => {
  const native = { integrity: 'sha512-x', optionalDependencies: { 'a-arm64': '1', 'a-x64': '1' } }
  const packages = { 'node_modules/a': native, 'node_modules/a-x64': { integrity: 'sha512-x' } }

  expect(missingPlatforms({ packages })).toEqual(['a-arm64'])
  expect(missingPlatforms({ packages: { 'node_modules/a': { ...native, dev: true } } })).toEqual([])
})
