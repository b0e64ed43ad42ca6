import { describe, expect, it, vi } from 'vitest'
import { openSink } from './file-sink.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** A browser that can write to disk; keeps what it was given. */
function aDisk() {
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

/** A browser that only knows downloads; gives the text of the last one. */
function downloads() {
  const saved: { name: string; content: Blob }[] = []
  let content = new Blob()
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => ((content = blob as Blob), 'blob:file'))
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => {})
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, content })
  })
  return saved
}

describe('where a file goes', () => {
  it('writes a large one to the place the person chose, piece by piece', async () => {
    const { events, pick } = aDisk()

    const sink = await openSink('log.csv', { kind: 'csv', isLarge: true })
    await sink.write(bytes('a,b'))
    await sink.finish()

    expect(pick).toHaveBeenCalledWith({ suggestedName: 'log.csv' })
    expect(events).toEqual(['\uFEFF', bytes('a,b'), 'closed'])
  })

  it('leaves nothing on disk of one that was cut off', async () => {
    const { events } = aDisk()

    await (await openSink('log.csv', { kind: 'csv', isLarge: true })).discard()

    expect(events.at(-1)).toBe('aborted')
  })

  it('downloads a small one whole, without a question', async () => {
    const { pick } = aDisk()
    const saved = downloads()

    const sink = await openSink('log.csv', { kind: 'csv', isLarge: false })
    await sink.write(bytes('a,'))
    await sink.write(bytes('b'))
    await sink.finish()

    expect(pick).not.toHaveBeenCalled()
    expect(saved.map(({ name }) => name)).toEqual(['log.csv'])
    expect(saved[0]!.content.size).toBe('\uFEFF'.length * 3 + 3)
  })

  it('puts nothing before JSON lines', async () => {
    const { events } = aDisk()
    const saved = downloads()
    const sinks = [true, false].map((isLarge) => openSink('trail.jsonl', { kind: 'jsonl', isLarge }))

    for (const sink of await Promise.all(sinks)) {
      await sink.write(bytes('{}'))
      await sink.finish()
    }

    expect(events).toEqual([bytes('{}'), 'closed'])
    expect(saved[0]!.content.size).toBe(2)
  })
})
