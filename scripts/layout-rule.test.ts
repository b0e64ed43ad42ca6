import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listPackages, measureLayout } from './rules/measure-layout.ts'

const ROOT = join(import.meta.dirname, '..')
const PACKAGES = await listPackages(ROOT)

interface Ceilings {
  filesPerFolder: number
  linesPerFile: number
  tinyPercent: number
  testSupport: number
}

/** The targets of every package. A package without a row below must meet them. */
const TARGETS: Ceilings = { filesPerFolder: 25, linesPerFile: 400, tinyPercent: 10, testSupport: 0 }

/** Packages above the targets, with their current values. Lower a value when a package improves; never raise one. */
const CEILINGS: Readonly<Record<string, Partial<Ceilings>>> = {
  'apps/console': { filesPerFolder: 36, tinyPercent: 17, testSupport: 4 },
  'apps/server': { tinyPercent: 12 },
  e2e: { tinyPercent: 11 },
  'packages/contract': { filesPerFolder: 29 },
  'packages/gateway': { filesPerFolder: 35 },
  scripts: { tinyPercent: 15 },
}

describe('the layout of a package', () => {
  it.each(PACKAGES)('stays below its ceilings: %s', async (name) => {
    const ceilings = { ...TARGETS, ...CEILINGS[name] }

    const { largestFolder, longestFile, tinyPercent, testSupport } = await measureLayout(ROOT, name)

    expect(largestFolder.size, `files in ${largestFolder.path}`).toBeLessThanOrEqual(ceilings.filesPerFolder)
    expect(longestFile.size, `lines of ${longestFile.path}`).toBeLessThanOrEqual(ceilings.linesPerFile)
    expect(tinyPercent, 'percent of tiny files').toBeLessThanOrEqual(ceilings.tinyPercent)
    expect(testSupport.length, `test support in src: ${testSupport.join(', ')}`).toBeLessThanOrEqual(
      ceilings.testSupport,
    )
  })

  it('has ceilings only for packages that exist', () => {
    expect(PACKAGES).toEqual(expect.arrayContaining(Object.keys(CEILINGS)))
  })
})

describe('the measured layout', () => {
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'tidegate-layout-'))
  })
  afterEach(() => rm(root, { recursive: true }))

  async function write(path: string, lines = 50) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), '// line\n'.repeat(lines))
  }

  it('reports the fullest folder, the longest file, the share of tiny files and test support in src', async () => {
    await write('packages/a/src/long.ts', 410)
    await write('packages/a/src/tiny.ts', 29)
    await write('packages/a/src/area/one.ts')
    await write('packages/a/src/area/two.tsx')
    await write('packages/a/src/area/two.test.ts', 500)
    await write('packages/a/src/test-site.ts')
    await write('packages/a/src/area/rules-suite.ts')

    expect(await measureLayout(root, 'packages/a')).toEqual({
      largestFolder: { path: 'packages/a/src/area', size: 4 },
      longestFile: { path: 'packages/a/src/long.ts', size: 410 },
      tinyPercent: 25,
      testSupport: ['packages/a/src/area/rules-suite.ts', 'packages/a/src/test-site.ts'],
    })
  })

  it('skips data, fixtures, builds and test folders', async () => {
    await write('packages/a/src/one.ts')
    await write('packages/a/src/migrations/0001.ts', 900)
    await write('packages/a/src/__fixtures__/sample.ts', 900)
    await write('packages/a/dist/bundle.ts', 900)
    await write('packages/a/test/support/test-site.ts', 900)

    const { longestFile, testSupport } = await measureLayout(root, 'packages/a')

    expect(longestFile).toEqual({ path: 'packages/a/src/one.ts', size: 50 })
    expect(testSupport).toEqual([])
  })

  it('covers every app, every package, e2e, lab and scripts', async () => {
    for (const path of [
      'apps/x/src/a.ts',
      'packages/y/src/a.ts',
      'e2e/a.ts',
      'lab/a.ts',
      'scripts/a.ts',
      'docs/a.ts',
    ]) {
      await write(path)
    }

    expect(await listPackages(root)).toEqual(['apps/x', 'e2e', 'lab', 'packages/y', 'scripts'])
  })
})
