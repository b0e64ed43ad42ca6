import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { findExternals } from './pack/find-externals.ts'
import { packageManifest } from './pack/package-manifest.ts'
import { missingPlatforms, shrinkwrapOf } from './pack/shrinkwrap.ts'
import type { Lockfile } from './supply-chain/production-tree.ts'

/**
 * Makes one npm package from the built product: `tidegate-<version>.tgz`, reproducibly. `--verify` packs twice and
 * compares.
 */
const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'apps/server/dist')

const { values } = parseArgs({
  options: { output: { type: 'string', default: join(ROOT, 'dist') }, verify: { type: 'boolean', default: false } },
})
const output = resolve(values.output)

const staging = await mkdtemp(join(tmpdir(), 'tidegate-pack-'))
try {
  const externals = await findExternals(DIST)
  await cp(DIST, join(staging, 'dist'), { recursive: true })
  await cp(join(ROOT, 'LICENSE'), join(staging, 'LICENSE'))
  await cp(join(ROOT, 'apps/server/README.md'), join(staging, 'README.md'))
  const manifest = await packageManifest(ROOT, externals)
  const lockfile = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as Lockfile
  await writeJson('package.json', manifest)
  await writeJson('npm-shrinkwrap.json', shrinkwrapOf(manifest, lockfile))
  const missing = missingPlatforms(lockfile)
  if (missing.length > 0)
    console.error(`package-lock.json lacks ${missing.join(', ')}: the package does not run there.`)

  await mkdir(output, { recursive: true })
  const tarball = await npmPack(output)
  const content = await readFile(tarball)
  if (values.verify) {
    const again = await mkdtemp(join(staging, '..', 'tidegate-pack-'))
    const isSame = content.equals(await readFile(await npmPack(again)))
    await rm(again, { recursive: true })
    if (!isSame) throw new Error('two packages of the same build differ')
  }
  const sum = createHash('sha256').update(content).digest('hex')
  console.log(`${tarball}  ${(content.byteLength / 1024 ** 2).toFixed(1)} MB  sha256 ${sum}`)
} finally {
  await rm(staging, { recursive: true })
}

async function npmPack(destination: string): Promise<string> {
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', destination]
  const { stdout } = await promisify(execFile)('npm', args, { cwd: staging })
  return join(destination, stdout.trim().split('\n').at(-1)!)
}

async function writeJson(name: string, value: object): Promise<void> {
  await writeFile(join(staging, name), `${JSON.stringify(value, null, 2)}\n`)
}
