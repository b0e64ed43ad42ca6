import { lstat, mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { installBinaries, resolveBinaries, serverVersion } from './binaries.ts'
import { embeddedLayout, type Layout } from './layout.ts'

let directory: string
let layout: Layout
const user = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, foreign: false }

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tidegate-binaries-'))
  layout = embeddedLayout(directory)
  await mkdir(layout.root)
})
afterEach(() => rm(directory, { recursive: true }))

/** A package as npm unpacks it: without symbolic links. */
async function aPackage(version: string) {
  const root = join(directory, `package-${version}`)
  await mkdir(join(root, 'native', 'bin'), { recursive: true })
  await mkdir(join(root, 'native', 'lib'), { recursive: true })
  await writeFile(join(root, 'package.json'), JSON.stringify({ version }))
  await writeFile(join(root, 'native', 'bin', 'postgres'), version, { mode: 0o755 })
  await writeFile(join(root, 'native', 'lib', 'libx.so.1.2'), 'library')
  await writeFile(join(root, 'native', 'lib', 'libx.a'), 'static')
  const links = [{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }]
  await writeFile(join(root, 'native', 'pg-symlinks.json'), JSON.stringify(links))
  return resolveBinaries(root)
}

async function aClusterOf(major: string): Promise<void> {
  await mkdir(layout.cluster)
  await writeFile(join(layout.cluster, 'PG_VERSION'), `${major}\n`)
}

describe('the binaries of the embedded database', () => {
  it('are copied beside the data, executable and with their links', async () => {
    const installed = await installBinaries(layout, await aPackage('18.4.0'), user)

    expect(installed).toEqual({ directory: layout.binaries('18.4.0'), version: '18.4.0' })
    expect((await lstat(join(installed.directory, 'bin', 'postgres'))).mode & 0o111).toBe(0o111)
    expect(await readlink(join(installed.directory, 'lib', 'libx.so.1'))).toBe('libx.so.1.2')
    expect(await readFile(join(installed.directory, 'lib', 'libx.so.1'), 'utf8')).toBe('library')
    await expect(lstat(join(installed.directory, 'lib', 'libx.a'))).rejects.toThrow('ENOENT')
  })

  it('are replaced by a newer version of the same major', async () => {
    await installBinaries(layout, await aPackage('18.4.0'), user)
    await aClusterOf('18')

    expect(await installBinaries(layout, await aPackage('18.10.0'), user)).toMatchObject({ version: '18.10.0' })
  })

  it('stay at the major version of the data when the installation has another', async () => {
    await installBinaries(layout, await aPackage('18.4.0'), user)
    await installBinaries(layout, await aPackage('18.10.0'), user)
    await aClusterOf('18')

    expect(await installBinaries(layout, await aPackage('19.1.0'), user)).toMatchObject({ version: '18.10.0' })
    expect(await installBinaries(layout, undefined, user)).toMatchObject({ version: '18.10.0' })
  })

  it('throw with advice when no version can open the data', async () => {
    await aClusterOf('17')

    await expect(installBinaries(layout, await aPackage('18.4.0'), user)).rejects.toThrow('needs PostgreSQL 17')
  })

  it('throw with advice when the installation has none', async () => {
    await expect(installBinaries(layout, undefined, user)).rejects.toThrow('DATABASE_URL')
  })

  it('report the version of PostgreSQL, not that of the package', () => {
    expect(serverVersion({ version: '18.4.0-beta.17' })).toBe('18.4')
  })
})
