import { describe, expect, it, vi } from 'vitest'
import { openSink } from './file-sink.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** Simulates a browser with file system access. Records all writes. */
function stubFilePicker() {
  const events: unknown[] = []
  const file = {
    write: async (piece: string | Uint8Array) => void events.push(piece),
    close: async () => void events.push('closed'),
    abort: async () => void events.push('aborted'),
  }
  const pick = vi.fn(async (_options: { suggestedName: string }) => ({ createWritable: async () => file }))
  vi.stubGlobal('showSaveFilePicker', pick)
  return { events, pick }
}

/** Simulates downloads. Returns the saved files. */
function stubDownloads() {
  const saved: { name: string; content: Blob }[] = []
  let content = new Blob()
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => ((content = blob as Blob), 'blob:file'))
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => {})
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, content })
  })
  return saved
}

describe('openSink', () => {
  it('streams a large file to the selected location', async () => {
    const { events, pick } = stubFilePicker()

    const sink = await openSink('log.csv', { kind: 'csv', isLarge: true })
    await sink.write(bytes('a,b'))
    await sink.finish()

    expect(pick).toHaveBeenCalledWith({ suggestedName: 'log.csv' })
    expect(events).toEqual(['\uFEFF', bytes('a,b'), 'closed'])
  })

  it('aborts the file on disk when it is discarded', async () => {
    const { events } = stubFilePicker()

    await (await openSink('log.csv', { kind: 'csv', isLarge: true })).discard()

    expect(events.at(-1)).toBe('aborted')
  })

  it('downloads a small file without a file picker', async () => {
    const { pick } = stubFilePicker()
    const saved = stubDownloads()

    const sink = await openSink('log.csv', { kind: 'csv', isLarge: false })
    await sink.write(bytes('a,'))
    await sink.write(bytes('b'))
    await sink.finish()

    expect(pick).not.toHaveBeenCalled()
    expect(saved.map(({ name }) => name)).toEqual(['log.csv'])
    expect(saved[0]!.content.size).toBe('\uFEFF'.length * 3 + 3)
  })

  it('writes no byte order mark to JSON lines', async () => {
    const { events } = stubFilePicker()
    const saved = stubDownloads()
    const sinks = [true, false].map((isLarge) => openSink('trail.jsonl', { kind: 'jsonl', isLarge }))

    for (const sink of await Promise.all(sinks)) {
      await sink.write(bytes('{}'))
      await sink.finish()
    }

    expect(events).toEqual([bytes('{}'), 'closed'])
    expect(saved[0]!.content.size).toBe(2)
  })
})
