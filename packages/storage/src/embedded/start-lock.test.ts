import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withStartLock } from './start-lock.ts'

let directory: string
let lock: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tidegate-lock-'))
  lock = join(directory, 'start.lock')
})
afterEach(() => rm(directory, { recursive: true }))

describe('the start lock', () => {
  it('runs one task at a time and leaves nothing behind', async () => {
    let inside = 0
    let max = 0
    const work = async () => {
      max = Math.max(max, ++inside)
      await readdir(directory)
      inside -= 1
    }

    await Promise.all(Array.from({ length: 5 }, () => withStartLock(lock, work)))

    expect(max).toBe(1)
    expect(await readdir(directory)).toEqual([])
  })

  it('is released when the work fails', async () => {
    await expect(withStartLock(lock, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')

    expect(await withStartLock(lock, async () => 'free')).toBe('free')
  })

  it.each([999_999_999, process.pid])('is taken over from a dead process with ID %i', async (number) => {
    await writeFile(lock, String(number))

    expect(await withStartLock(lock, async () => 'taken')).toBe('taken')
  })
})
