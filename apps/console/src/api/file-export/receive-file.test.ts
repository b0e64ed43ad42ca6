import { describe, expect, it } from 'vitest'
import type { FileSink } from './file-sink.ts'
import { formatBytes, receiveFile } from './receive-file.ts'

function aSink() {
  const received: string[] = []
  let end = ''
  const sink: FileSink = {
    write: async (piece) => void received.push(new TextDecoder().decode(piece)),
    finish: async () => void (end = 'finished'),
    discard: async () => void (end = 'discarded'),
  }
  return { sink, received, end: () => end }
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

describe('receiveFile', () => {
  it('writes all chunks and reports the progress', async () => {
    const { sink, received, end } = aSink()
    const progress: number[] = []

    expect(
      await receiveFile(
        async () => aStream(['time,type\r\n', 'a,2\r\n']),
        sink,
        (bytes) => progress.push(bytes),
      ),
    ).toBe(16)

    expect([received.join(''), progress, end()]).toEqual(['time,type\r\na,2\r\n', [11, 16], 'finished'])
  })

  it('discards an incomplete file', async () => {
    const { sink, end } = aSink()

    const interrupted = async () => aStream(['time'], new Error('gone'))
    await expect(receiveFile(interrupted, sink, () => {})).rejects.toThrow('gone')

    expect(end()).toBe('discarded')
  })

  it('discards the file if the request fails', async () => {
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
  ])('formats %i bytes as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text)
  })
})
