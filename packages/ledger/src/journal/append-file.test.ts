import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openAppendFile } from './append-file.ts'
import { ByteWriter } from './bytes.ts'
import { readFrames, writeFrame } from './frames.ts'

/** A disk that accepts half of a write and then reports that it is full, until there is space. */
function aFullDisk() {
  const disk = { bytes: Buffer.alloc(0), full: true }
  const handle = {
    async write(data: Buffer, from: number) {
      const half = data.subarray(from, disk.full ? Math.ceil((from + data.length) / 2) : undefined)
      if (disk.full && from > 0) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
      disk.bytes = Buffer.concat([disk.bytes, half])
      return { bytesWritten: half.length, buffer: data }
    },
    datasync: async () => {},
    close: async () => {},
  }
  return { disk, handle: handle as unknown as NonNullable<Parameters<typeof openAppendFile>[1]['handle']> }
}

function frame(text: string): Buffer {
  const writer = new ByteWriter()
  writeFrame(writer, () => writer.text(text))
  return writer.view()
}

const textsOf = (bytes: Buffer) => [...readFrames(bytes)].map((payload) => payload.subarray(1).toString())

it('reports which records did not reach the disk, and keeps later records readable', async () => {
  const { disk, handle } = aFullDisk()
  const file = await openAppendFile('a journal', { syncEach: false, handle })
  await expect(file.append(frame('lost'))).rejects.toThrow('no space left')
  expect(file).toMatchObject({ isFailing: true, failedWrites: 1 })

  disk.full = false
  await file.append(frame('second'))
  await file.append(frame('third'))

  expect(textsOf(disk.bytes)).toEqual(['second', 'third'])
  expect(file).toMatchObject({ isFailing: false, failedWrites: 1 })
  await file.close()
})

it('repeats after a failed write what later records may need, once', async () => {
  const { disk, handle } = aFullDisk()
  const file = await openAppendFile('a journal', { syncEach: false, handle, afterFailure: () => frame('needed') })
  await expect(file.append(frame('lost'))).rejects.toThrow('no space left')

  disk.full = false
  await file.append(frame('second'))
  await file.append(frame('third'))

  expect(textsOf(disk.bytes)).toEqual(['needed', 'second', 'third'])
  await file.close()
})

it('writes what arrives in one turn together, under one promise', async () => {
  const { disk, handle } = aFullDisk()
  disk.full = false
  const file = await openAppendFile('a journal', { syncEach: false, handle })

  const [first, second] = [file.append(frame('first')), file.append(frame('second'))]

  expect(second).toBe(first)
  await first
  expect(textsOf(disk.bytes)).toEqual(['first', 'second'])
  await file.close()
})

it('keeps the order of bytes that are written synchronously, by a thread, and on close', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tidegate-append-'))
  const path = join(folder, 'lines')
  const file = await openAppendFile(path, { syncEach: false })
  const written: Promise<void>[] = []
  // Syncs every ten milliseconds, so that some writes meet one.
  for (let line = 0; line < 2_000; line += 1) {
    written.push(file.append(Buffer.from(`${line}\n`)))
    if (line % 10 === 0) await written.at(-1)
    if (line % 500 === 0) expect((await readFile(path, 'utf8')).endsWith(`\n${line}\n`) || line === 0).toBe(true)
  }
  await file.close()
  await Promise.all(written)

  expect((await readFile(path, 'utf8')).trimEnd().split('\n').map(Number)).toEqual([...Array(2_000).keys()])
  await rm(folder, { recursive: true })
})
