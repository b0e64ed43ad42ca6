import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findDeniedWords } from './rules/find-denied-words.ts'

describe('invented vocabulary', () => {
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'tidegate-language-'))
    await mkdir(join(root, 'packages/a/src'), { recursive: true })
  })
  afterEach(() => rm(root, { recursive: true }))

  it.each([
    ['an identifier', 'const troubledChannel = 1', 'trouble'],
    ['a comment', '/** Whoever calls it. */', 'whoever'],
    ['a string', "const title = 'The journey'", 'journey'],
  ])('is found in %s', async (_, text, word) => {
    await writeFile(join(root, 'packages/a/src/one.ts'), text)

    expect(await findDeniedWords(root)).toEqual([`packages/a/src/one.ts:1: ${word}`])
  })

  it('is found in a file name', async () => {
    await writeFile(join(root, 'packages/a/src/cargo.ts'), '')

    expect(await findDeniedWords(root)).toEqual(['packages/a/src/cargo.ts:0: cargo'])
  })

  it.each([
    '.rules.cjs',
    'packages/a/build.mjs',
    'scripts/run.sh',
    'deploy/compose.yaml',
    'deploy/prometheus/alerts.yml',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'docs/guides/operate.md',
  ])('is found in %s', async (path) => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), '# Whoever runs it')

    expect(await findDeniedWords(root)).toEqual([`${path}:1: whoever`])
  })

  it('is not looked for in reports, which quote old names', async () => {
    await mkdir(join(root, 'docs/reports'), { recursive: true })
    await writeFile(join(root, 'docs/reports/2026-11-tests.md'), '# Whoever runs it')

    expect(await findDeniedWords(root)).toEqual([])
  })

  it('is found in texts of the console but not in their keys', async () => {
    const texts = 'apps/console/src/locales/en'
    await mkdir(join(root, texts), { recursive: true })
    await writeFile(join(root, texts, 'app.json'), '{\n  "whoever": "Everyone",\n  "all": "Whoever"\n}')

    expect(await findDeniedWords(root)).toEqual([`${texts}/app.json:3: whoever`])
  })

  it('is not found where a name of the product contains the word', async () => {
    await writeFile(join(root, 'packages/a/src/one.ts'), "const provider = 'Midjourney'")

    expect(await findDeniedWords(root)).toEqual([])
  })

  it('is not found in a stored or public name', async () => {
    await writeFile(join(root, 'packages/a/src/one.ts'), "const code = 'in_trouble' // no trouble_code here")

    expect(await findDeniedWords(root)).toEqual([])
  })

  it('is found next to an allowed use', async () => {
    await writeFile(join(root, 'packages/a/src/one.ts'), "const journey = 'Midjourney'")

    expect(await findDeniedWords(root)).toEqual(['packages/a/src/one.ts:1: journey'])
  })

  it('is not found in a file that is an exception', async () => {
    await writeFile(join(root, 'packages/a/src/one.ts'), 'const ebb = 1')
    const ebb = { word: 'ebb', instead: 'tide' }

    expect(await findDeniedWords(root, [{ ...ebb, except: /one\.ts$/ }])).toEqual([])
    expect(await findDeniedWords(root, [{ ...ebb, except: /two\.ts$/ }])).toEqual(['packages/a/src/one.ts:1: ebb'])
  })

  it('does not occur in this repository', async () => {
    expect(await findDeniedWords(join(import.meta.dirname, '..'))).toEqual([])
  })
})
