import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultDataDirectory } from './data-directory.ts'

const INSTALLED = 'file:///srv/shop/node_modules/tidegate/dist/tidegate.mjs'
const CHECKOUT = 'file:///srv/tidegate/apps/server/src/data-directory.ts'

describe('the default data directory', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tidegate-folder-'))
    await chmod(folder, 0o755)
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('is in the working directory of an installed package', () => {
    for (const isRoot of [true, false]) {
      expect(defaultDataDirectory({ program: INSTALLED, folder, isRoot })).toBe(join(folder, 'tidegate-data'))
    }
  })

  it('is the system directory for root if the embedded database could not enter the working directory', async () => {
    const closed = join(folder, 'closed')
    await mkdir(closed, { mode: 0o700 })
    const within = join(closed, 'site')
    await mkdir(within, { mode: 0o755 })

    expect(defaultDataDirectory({ program: INSTALLED, folder: within, isRoot: true })).toBe('/var/lib/tidegate')
    expect(defaultDataDirectory({ program: INSTALLED, folder: within, isRoot: false })).toBe(
      join(within, 'tidegate-data'),
    )
  })

  it('does not depend on the working directory when run from a checkout', () => {
    expect(defaultDataDirectory({ program: CHECKOUT, folder, isRoot: true })).toBe('/var/lib/tidegate')
    expect(defaultDataDirectory({ program: CHECKOUT, folder, isRoot: false })).toMatch(/\.local\/share\/tidegate$/)
  })
})
