import { chmod, mkdtemp, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { embeddedLayout, makeSocketDirectory, socketDirectoryFor } from './layout.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tidegate-socket-'))
})
afterEach(() => rm(directory, { recursive: true }))

const user = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, foreign: false }

describe('the socket directory', () => {
  it('is beside the data while its path is short enough in bytes', () => {
    const fits = embeddedLayout(`/${'d'.repeat(72)}`)
    const tooLong = embeddedLayout(`/${'d'.repeat(71)}é`)

    expect(socketDirectoryFor(fits)).toBe(`${fits.root}/run`)
    expect(socketDirectoryFor(tooLong, '/tmp')).toMatch(/^\/tmp\/tidegate-[0-9a-f]{16}$/)
    expect(socketDirectoryFor(tooLong)).not.toBe(socketDirectoryFor(embeddedLayout(`/${'e'.repeat(80)}`)))
  })

  it('is private, even when it existed with open permissions', async () => {
    const path = join(directory, 'run')
    await makeSocketDirectory(user, path)
    await chmod(path, 0o777)

    await makeSocketDirectory(user, path)

    expect((await stat(path)).mode & 0o777).toBe(0o700)
  })

  it('is rejected when another user created it', async () => {
    const path = join(directory, 'run')
    await symlink(tmpdir(), path)

    await expect(makeSocketDirectory(user, path)).rejects.toThrow('belongs to another user')
  })
})
