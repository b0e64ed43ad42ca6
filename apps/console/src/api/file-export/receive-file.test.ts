import { describe, expect, it } from 'vitest'
import type { FileSink } from './file-sink.ts'
import { formatBytes, receiveFile } from './receive-file.ts'

function aSink() {
  const got: string[] = []
  let end = ''
  const sink: FileSink = {
    write: async (piece) => void got.push(new TextDecoder().decode(piece)),
    finish: async () => void (end = 'finished'),
    discard: async () => void (end = 'discarded'),
  }
  return { sink, got, end: () => end }
}

function aStream(pieces: readonly string[], failure?: Error): ReadableStream<Uint8Array> {
  const left = [...pieces]
  return new ReadableStream({
    pull(controller) {
      const piece = left.shift()
      if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece))
      else if (failure) controller.error(failure)
      else controller.close()
    },
  })
}

describe('a file that is received', () => {
  it('arrives whole, with word of how much has come', async () => {
    const { sink, got, end } = aSink()
    const told: number[] = []

    expect(
      await receiveFile(
        async () => aStream(['time,type\r\n', 'a,2\r\n']),
        sink,
        (bytes) => told.push(bytes),
      ),
    ).toBe(16)

    expect([got.join(''), told, end()]).toEqual(['time,type\r\na,2\r\n', [11, 16], 'finished'])
  })

  it('is thrown away when it is cut off, so that nobody takes a part for the whole', async () => {
    const { sink, end } = aSink()

    const cut = async () => aStream(['time'], new Error('gone'))
    await expect(receiveFile(cut, sink, () => {})).rejects.toThrow('gone')

    expect(end()).toBe('discarded')
  })

  it('is thrown away when it is refused', async () => {
    const { sink, end } = aSink()

    await expect(
      receiveFile(
        () => Promise.reject(new Error('refused')),
        sink,
        () => {},
      ),
    ).rejects.toThrow('refused')

    expect(end()).toBe('discarded')
  })

  it.each([
    [1, '1 KB'],
    [812_000, '812 KB'],
    [12_345_678, '12.3 MB'],
  ])('writes %i bytes as %s', (bytes, written) => {
    expect(formatBytes(bytes)).toBe(written)
  })
})
