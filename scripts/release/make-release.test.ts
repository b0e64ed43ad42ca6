import { createHash } from 'node:crypto'
import { copyFile, glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { missingPlatforms } from '../pack/shrinkwrap.ts'
import { makeRelease } from './make-release.ts'
import type { Lockfile } from '../supply-chain/production-tree.ts'

const root = join(import.meta.dirname, '../..')
const CHART = 'deploy/helm/tidegate/Chart.yaml'
const MANIFESTS = [
  'package.json',
  'package-lock.json',
  '{apps,packages}/*/package.json',
  '{e2e,lab}/package.json',
  CHART,
]
/** Replaces the real script, which builds the whole product. */
const PACK = `
  import { readFileSync, writeFileSync } from 'node:fs'
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  writeFileSync(process.argv[process.argv.indexOf('--output') + 1] + '/tidegate-' + version + '.tgz', 'packed')
`

describe('a release', () => {
  let copy: string
  let lines: string[]
  beforeEach(async () => {
    lines = []
    copy = await mkdtemp(join(tmpdir(), 'tidegate-release-'))
    for await (const path of glob(MANIFESTS, { cwd: root })) {
      await mkdir(dirname(join(copy, path)), { recursive: true })
      await copyFile(join(root, path), join(copy, path))
    }
    await writeFile(
      join(copy, 'CHANGELOG.md'),
      '# Changelog\n\n## Unreleased\n\n### Added\n- A tide table.\n\n## 0.0.1\n\n- Water.\n',
    )
    await completeLockfile()
    const manifest = JSON.parse(await text('package.json')) as { scripts: Record<string, string> }
    manifest.scripts.pack = 'node pack.mjs'
    await writeFile(join(copy, 'pack.mjs'), PACK)
    await writeFile(join(copy, 'package.json'), JSON.stringify(manifest, null, 2))
  })
  afterEach(() => rm(copy, { recursive: true }))

  const text = (path: string) => readFile(join(copy, path), 'utf8')
  const release = (version: string, dryRun = false) =>
    makeRelease({ root: copy, version, date: '2026-11-15', dryRun, log: (line) => lines.push(line) })

  it('raises every version together, cuts the changelog and writes the artifacts with their checksums', async () => {
    await release('77.0.0')

    expect(await text('CHANGELOG.md')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 77.0.0 - 2026-11-15\n\n### Added\n- A tide table.\n\n## 0.0.1\n\n- Water.\n',
    )
    for await (const path of glob('{apps,packages}/*/package.json', { cwd: copy })) {
      const manifest = JSON.parse(await text(path)) as { version: string; dependencies?: Record<string, string> }
      const ours = Object.entries(manifest.dependencies ?? {}).filter(([name]) => name.startsWith('@tidegate/'))
      expect([path, manifest.version, ...ours.map(([, version]) => version)]).toEqual([
        path,
        '77.0.0',
        ...ours.map(() => '77.0.0'),
      ])
    }
    expect(await text(CHART)).toContain('\nversion: 77.0.0\nappVersion: 77.0.0\n')
    const lockfile = JSON.parse(await text('package-lock.json')) as { packages: Record<string, { version: string }> }
    expect(lockfile.packages['apps/server']).toMatchObject({ version: '77.0.0' })
    expect(lockfile.packages['node_modules/fastify']).not.toMatchObject({ version: '77.0.0' })

    expect(await text('dist/release/NOTES.md')).toBe('### Added\n- A tide table.\n')
    expect(await text('dist/release/tidegate-77.0.0.tgz')).toBe('packed')
    expect(JSON.parse(await text('dist/release/tidegate-77.0.0.cdx.json'))).toMatchObject({
      metadata: { component: { name: 'tidegate', version: '77.0.0' } },
    })
    const sums = (await text('dist/release/SHA256SUMS')).trim().split('\n')
    expect(sums.map((line) => line.slice(66))).toEqual(['NOTES.md', 'tidegate-77.0.0.cdx.json', 'tidegate-77.0.0.tgz'])
    expect(sums[2]!.slice(0, 64)).toBe(createHash('sha256').update('packed').digest('hex'))
  })

  it('writes nothing in a dry run', async () => {
    const before = await contents()
    await release('77.0.0', true)

    expect(await contents()).toEqual(before)
    expect(lines).toContain('would write packages/gateway/package.json')
    expect(lines).toContain('would make dist/release/tidegate-77.0.0.tgz')
    expect(lines.at(-1)).toContain('A tide table.')
  })

  it.each([
    ['0.0.1', 'does not come after'],
    ['next', 'is no version'],
    ['1.2', 'is no version'],
  ])('is rejected as %s and changes nothing', async (version, args) => {
    const before = await contents()
    await expect(release(version)).rejects.toThrow(args)
    expect(await contents()).toEqual(before)
  })

  it.each([
    ['nothing unreleased', '# Changelog\n\n## Unreleased\n\n## 0.0.1\n'],
    ['already has a section', '# Changelog\n\n## Unreleased\n\n- More.\n\n## 77.0.0 - 2026-01-01\n\n- Old.\n'],
    ['no section', '# Changelog\n'],
  ])('is rejected when the changelog has %s', async (args, changelog) => {
    await writeFile(join(copy, 'CHANGELOG.md'), changelog)
    const before = await contents()
    await expect(release('77.0.0')).rejects.toThrow(args)
    expect(await contents()).toEqual(before)
  })

  it('is rejected with a lockfile that lacks a platform of a native module', async () => {
    const lockfile = JSON.parse(await text('package-lock.json')) as Lockfile
    const { 'node_modules/@node-rs/argon2-linux-arm64-gnu': _gone, ...packages } = lockfile.packages
    await writeFile(join(copy, 'package-lock.json'), JSON.stringify({ ...lockfile, packages }))

    await expect(release('77.0.0')).rejects.toThrow('package-lock.json lacks @node-rs/argon2-linux-arm64-gnu')
  })

  it('is rejected with an image that has no digest', async () => {
    await mkdir(join(copy, 'deploy/docker'), { recursive: true })
    await writeFile(join(copy, 'deploy/docker/Dockerfile'), 'ARG NODE_IMAGE=node:24.21.0-bookworm-slim\n')
    const before = await contents()

    await expect(release('77.0.0')).rejects.toThrow('node:24.21.0-bookworm-slim in deploy/docker/Dockerfile')
    await release('77.0.0', true)

    expect(lines[0]).toContain('would fail: images without a digest')
    expect(await contents()).toEqual(before)
  })

  /** Adds entries that the lockfile of the repository may lack, which has its own test. */
  async function completeLockfile(): Promise<void> {
    const lockfile = JSON.parse(await text('package-lock.json')) as Lockfile
    const added = missingPlatforms(lockfile).map((name) => [
      `node_modules/${name}`,
      { version: '0.0.0', optional: true },
    ])
    const packages = { ...lockfile.packages, ...Object.fromEntries(added) }
    await writeFile(join(copy, 'package-lock.json'), JSON.stringify({ ...lockfile, packages }, null, 2))
  }

  async function contents(): Promise<Record<string, string>> {
    const found: Record<string, string> = {}
    for await (const path of glob('**/*.*', { cwd: copy })) found[path] = await text(path)
    return found
  }
})
