import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findEnvironmentReads } from './rules/find-environment-reads.ts'

describe('the environment', () => {
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'tidegate-environment-'))
  })
  afterEach(() => rm(root, { recursive: true }))

  async function plant(path: string, text: string) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }

  it.each([
    'const secret = process.env.SECRET',
    "const secret = process['env'].SECRET",
    'const { env } = process',
    "import { env } from 'node:process'",
  ])('is not read in a package by %s', async (text) => {
    await plant('packages/control/src/secret.ts', text)

    expect(await findEnvironmentReads(root)).toEqual(['packages/control/src/secret.ts'])
  })

  it('may be read by one file of the server and by tools', async () => {
    const text = 'export const port = process.env.PORT'
    for (const path of ['apps/server/src/environment.ts', 'scripts/dev.ts', 'apps/console/vite.config.ts']) {
      await plant(path, text)
    }

    expect(await findEnvironmentReads(root)).toEqual([])
  })

  it('is read nowhere else in this repository', async () => {
    expect(await findEnvironmentReads(join(import.meta.dirname, '..'))).toEqual([])
  })
})
