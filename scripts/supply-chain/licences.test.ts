import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isPermissive } from './licences.ts'
import { type Lockfile, productionTree } from './production-tree.ts'

describe('a licence', () => {
  it.each(['MIT', 'Apache-2.0', '(MPL-2.0 OR Apache-2.0)', 'MIT AND ISC', '(MIT AND BSD-3-Clause)'])(
    'may be shipped: %s',
    (licence) => expect(isPermissive('some-package', licence)).toBe(true),
  )

  it.each([
    'GPL-3.0-only',
    'AGPL-3.0-or-later',
    'LGPL-2.1',
    'MPL-2.0',
    'SSPL-1.0',
    'BUSL-1.1',
    'GPL-2.0 OR AGPL-3.0',
    'MIT AND GPL-3.0',
    'MIT OR GPL-3.0 AND AGPL-3.0',
    'SEE LICENSE IN LICENSE.md',
    'UNLICENSED',
    'Custom: LICENSE',
    '',
    undefined,
    'OFL-1.1',
  ])('may not be shipped: %s', (licence) => expect(isPermissive('some-package', licence)).toBe(false))

  it('may be the font licence for fonts', () => {
    expect(isPermissive('@fontsource-variable/inter', 'OFL-1.1')).toBe(true)
  })

  it('is declared and permissive for every package and platform', async () => {
    const lockfile = JSON.parse(
      await readFile(join(import.meta.dirname, '../../package-lock.json'), 'utf8'),
    ) as Lockfile
    const rejected = productionTree(lockfile).filter(({ name, license }) => !isPermissive(name, license))
    expect(rejected).toEqual([])
  })
})
