import { describe, expect, it } from 'vitest'
import { ByteWriter } from './bytes.ts'
import { readFrames, writeFrame } from './frames.ts'

function framesOf(...texts: string[]): Buffer {
  const writer = new ByteWriter()
  for (const text of texts) writeFrame(writer, () => writer.text(text))
  return Buffer.from(writer.view())
}

function read(file: Buffer) {
  let damaged = 0
  const texts = [...readFrames(file, () => (damaged += 1))].map((payload) => payload.subarray(1).toString())
  return { texts, damaged }
}

describe('frames', () => {
  it('are read as they were written', () => {
    expect(read(framesOf('a', '', '潮\n'))).toEqual({ texts: ['a', '', '潮\n'], damaged: 0 })
  })

  it('are rejected if any byte is missing or changed', () => {
    const file = framesOf('abc')

    for (let length = 1; length < file.length; length += 1) {
      expect(read(file.subarray(0, length))).toEqual({ texts: [], damaged: 1 })
    }
    for (let index = 0; index < file.length; index += 1) {
      const changed = Buffer.from(file)
      changed[index]! ^= 1
      expect(read(changed).texts).toEqual([])
    }
  })

  it('are found again after one that a failed write truncated, wherever it ends', () => {
    const torn = framesOf('torn')
    for (let length = 1; length < torn.length; length += 1) {
      const file = Buffer.concat([framesOf('before'), torn.subarray(0, length), framesOf('after', 'last')])

      expect(read(file)).toEqual({ texts: ['before', 'after', 'last'], damaged: 1 })
    }
  })

  it('cannot be imitated by the text of a client', () => {
    const imitated = framesOf('a false record').toString('latin1')
    const file = framesOf(imitated)

    expect(read(file.subarray(1)).texts).toEqual([])
    expect(read(Buffer.from(file.subarray(0, file.length - 1))).texts).toEqual([])
  })
})
