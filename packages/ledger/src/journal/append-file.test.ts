import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openAppendFile } from './append-file.ts'
import { decodeLine, encodeLine } from './lines.ts'

/** A disk that accepts half of a write and then reports that it is full, until there is space. */
function aFullDisk() {
  const disk = { text: '', full: true }
  const handle = {
    async write(data: Buffer, from: number) {
      const half = data.subarray(from, disk.full ? Math.ceil((from + data.length) / 2) : undefined)
      if (disk.full && from > 0) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
      disk.text += half.toString()
      return { bytesWritten: half.length, buffer: data }
    },
    datasync: async () => {},
    close: async () => {},
  }
  return { disk, handle: handle as unknown as NonNullable<Parameters<typeof openAppendFile>[1]['handle']> }
}

it('reports which lines did not reach the disk, and keeps later lines readable', async () => {
  const { disk, handle } = aFullDisk()
  const file = await openAppendFile('a journal', { syncEach: false, handle })
  await expect(file.append(encodeLine({ kind: 'cut', batch: 1 }))).rejects.toThrow('no space left')

  disk.full = false
  await file.append(encodeLine({ kind: 'cut', batch: 2 }))
  await file.append(encodeLine({ kind: 'cut', batch: 3 }))

  const lines = disk.text.split('\n').map(decodeLine)
  expect(lines.filter((line) => line !== undefined)).toEqual([
    { kind: 'cut', batch: 2 },
    { kind: 'cut', batch: 3 },
  ])
  await file.close()
})

it('keeps the order of lines that are written synchronously, by a thread, and on close', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidegate-append-'))
  const path = join(folder, 'lines')
  const file = await openAppendFile(path, { syncEach: false })
  const written: Promise<void>[] = []
  // Syncs every ten milliseconds, so that some writes meet one.
  for (let line = 0; line < 2_000; line += 1) {
    written.push(file.append(`${line}\n`))
    if (line % 10 === 0) await written.at(-1)
    if (line % 500 === 0) expect((await readFile(path, 'utf8')).endsWith(`\n${line}\n`) || line === 0).toBe(true)
  }
  await file.close()
  await Promise.all(written)

  expect((await readFile(path, 'utf8')).trimEnd().split('\n').map(Number)).toEqual([...Array(2_000).keys()])
  await rm(folder, { recursive: true })
})
