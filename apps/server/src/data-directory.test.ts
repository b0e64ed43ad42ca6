import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultDataDirectory } from './data-directory.ts'

const INSTALLED = 'file:///srv/shop/node_modules/tidegate/dist/tidegate.mjs'
const CHECKOUT = 'file:///srv/tidegate/apps/server/src/data-directory.ts'

describe('the data directory, when nobody names one,', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tidegate-folder-'))
    await chmod(folder, 0o755)
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('lies in the folder an installed product is started from', () => {
    for (const isRoot of [true, false]) {
      expect(defaultDataDirectory({ program: INSTALLED, folder, isRoot })).toBe(join(folder, 'tidegate-data'))
    }
  })

  it('is the system’s for root where the embedded database could not reach the folder', async () => {
    const closed = join(folder, 'closed')
    await mkdir(closed, { mode: 0o700 })
    const within = join(closed, 'site')
    await mkdir(within, { mode: 0o755 })

    expect(defaultDataDirectory({ program: INSTALLED, folder: within, isRoot: true })).toBe('/var/lib/tidegate')
    expect(defaultDataDirectory({ program: INSTALLED, folder: within, isRoot: false })).toBe(
      join(within, 'tidegate-data'),
    )
  })

  it('does not move with the folder when run from a checkout', () => {
    expect(defaultDataDirectory({ program: CHECKOUT, folder, isRoot: true })).toBe('/var/lib/tidegate')
    expect(defaultDataDirectory({ program: CHECKOUT, folder, isRoot: false })).toMatch(/\.local\/share\/tidegate$/)
  })
})
