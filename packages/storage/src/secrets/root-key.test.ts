import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadRootKey } from './root-key.ts'

let directory: string
let keyFile: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tidegate-key-'))
  keyFile = join(directory, 'data', 'root.key')
})
afterEach(() => rm(directory, { recursive: true }))

describe('the root key', () => {
  it('is the secret itself when that is 32 bytes as hex or base64', async () => {
    const bytes = randomBytes(32)

    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      const key = await loadRootKey({ secret: ` ${bytes.toString(encoding)}\n`, keyFile })
      expect(Buffer.from(key)).toEqual(bytes)
    }
  })

  it('is derived from any other secret of at least 32 characters, always the same', async () => {
    const secret = 'correct horse battery staple, twice over'

    const key = await loadRootKey({ secret, keyFile })

    expect(key.byteLength).toBe(32)
    expect(await loadRootKey({ secret, keyFile })).toEqual(key)
    expect(await loadRootKey({ secret: `${secret}!`, keyFile })).not.toEqual(key)
  })

  it('rejects a short secret without repeating it', async () => {
    const error = loadRootKey({ secret: 'too-short', keyFile })

    await expect(error).rejects.toThrow('at least 32 characters')
    await expect(error).rejects.not.toThrow('too-short')
  })

  it('comes from a file created on the first start, readable only by the owner', async () => {
    const key = await loadRootKey({ keyFile })

    expect(await loadRootKey({ secret: '  ', keyFile })).toEqual(key)
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
    expect(await readdir(join(directory, 'data'))).toEqual(['root.key'])
  })

  it('is the same for all processes that start together', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => loadRootKey({ keyFile })))

    expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1)
  })

  it('is never replaced when its file is damaged', async () => {
    await loadRootKey({ keyFile })
    await writeFile(keyFile, 'not a key')

    await expect(loadRootKey({ keyFile })).rejects.toThrow(keyFile)
  })

  it('comes from a configured file', async () => {
    const file = join(directory, 'mounted')
    await writeFile(file, `${'ab'.repeat(32)}\n`)

    expect(await loadRootKey({ file, keyFile })).toEqual(await loadRootKey({ secret: 'ab'.repeat(32), keyFile }))
    await expect(loadRootKey({ file: `${file}-missing`, keyFile })).rejects.toThrow('cannot be read')
  })

  it('comes from a command, whose output is in no error', async () => {
    const key = await loadRootKey({ command: `printf %s ${'ab'.repeat(16)}${'ab'.repeat(16)}`, keyFile })
    expect(key).toEqual(await loadRootKey({ secret: 'ab'.repeat(32), keyFile }))

    const failing = loadRootKey({ command: 'echo CANARY; echo denied >&2; exit 3', keyFile })
    await expect(failing).rejects.toThrow('exit code 3): denied')
    await expect(failing).rejects.not.toThrow('CANARY')
    await expect(loadRootKey({ command: 'echo short', keyFile })).rejects.toThrow('at least 32 characters')
  })
})
