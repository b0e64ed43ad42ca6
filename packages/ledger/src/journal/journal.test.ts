import { appendFile, mkdtemp, readdir, readFile, rm, truncate, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildSettlement } from '../settlement/settlement.ts'
import { outcome } from '../../test/books.ts'
import { openJournal } from './journal.ts'
import { decodeLine, encodeSettlement, encodeLine } from './lines.ts'
import { readJournal } from './read-journal.ts'

let directory: string
beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'tidegate-journal-')), 'holder')
})
afterEach(() => rm(join(directory, '..'), { recursive: true, force: true }))

function aSettlement(requestId: string, quota = 1) {
  return buildSettlement({ requestId, userId: 1, tokenId: 2, tokenUnlimited: false, keepLog: true }, outcome(quota))
}

const open = (options = {}) => openJournal({ directory, syncEach: false, ...options })

describe('a line', () => {
  it('is decoded as it was encoded, whatever the text', () => {
    const line = { kind: 'booking', batch: 3, booking: aSettlement('潮\n"\u2028') } as const

    expect(decodeLine(encodeLine(line).trimEnd())).toEqual(line)
    expect(encodeSettlement(line.batch, JSON.stringify(line.booking))).toBe(encodeLine(line))
  })

  it('is rejected if any part is missing or changed', () => {
    const text = encodeLine({ kind: 'cut', batch: 7 }).trimEnd()

    for (let length = 0; length < text.length; length++) expect(decodeLine(text.slice(0, length))).toBeUndefined()
    expect(decodeLine(text.replace('7', '8'))).toBeUndefined()
  })
})

describe('a journal', () => {
  it('returns what was appended, in order, after a crash', async () => {
    const journal = await open()
    await Promise.all(['a', 'b', 'c'].map((id) => journal.append(aSettlement(id))))
    const first = await journal.nextBatch()
    await first!.written
    await journal.append(aSettlement('d'))

    const { batches, damagedLines } = await readJournal(directory)

    expect(batches.map(({ number, settlements }) => [number, settlements.map(({ requestId }) => requestId)])).toEqual([
      [1, ['a', 'b', 'c']],
      [2, ['d']],
    ])
    expect(damagedLines).toBe(0)
    expect(await readJournal(directory)).toEqual({ batches, damagedLines }) // and again
  })

  it('loses only the line that a crash truncated', async () => {
    const journal = await open()
    await journal.append(aSettlement('whole'))
    await journal.append(aSettlement('torn'))
    const [segment] = await readdir(directory)
    const { size } = await stat(join(directory, segment!))
    await truncate(join(directory, segment!), size - 5)

    const { batches, damagedLines } = await readJournal(directory)

    expect(batches.flatMap(({ settlements }) => settlements.map(({ requestId }) => requestId))).toEqual(['whole'])
    expect(damagedLines).toBe(1)
  })

  it('continues after damage in the middle', async () => {
    const journal = await open()
    await journal.append(aSettlement('before'))
    const [segment] = await readdir(directory)
    await appendFile(join(directory, segment!), 'garbage\n')
    await journal.append(aSettlement('after'))

    const { batches, damagedLines } = await readJournal(directory)

    expect(batches[0]!.settlements.map(({ requestId }) => requestId)).toEqual(['before', 'after'])
    expect(damagedLines).toBe(1)
  })

  it('keeps batches apart if the line between them could not be written', async () => {
    const journal = await open()
    await journal.append(aSettlement('a'))
    await (await journal.nextBatch())!.written
    await journal.append(aSettlement('b'))
    const [segment] = await readdir(directory)
    const lines = (await readFile(join(directory, segment!), 'utf8')).split('\n')
    await writeFile(join(directory, segment!), lines.filter((line) => !line.includes('"cut"')).join('\n'))

    const { batches } = await readJournal(directory)

    expect(batches.map(({ number, settlements }) => [number, settlements.map(({ requestId }) => requestId)])).toEqual([
      [1, ['a']],
      [2, ['b']],
    ])
  })

  it('bills a stream that a crash interrupted by its last checkpoint, marked as interrupted', async () => {
    const journal = await open()
    journal.checkpoint(aSettlement('cut off', 5))
    journal.checkpoint(aSettlement('cut off', 9))
    journal.checkpoint(aSettlement('finished', 3))
    journal.checkpoint(aSettlement('released', 4))
    journal.release('released')
    await journal.append(aSettlement('finished', 30))

    const { batches } = await readJournal(directory)

    expect(batches[0]!.settlements.map(({ requestId, quota, log }) => [requestId, quota, log.other])).toEqual([
      ['finished', 30, { token_limited: true }],
      ['cut off', 9, { token_limited: true, interrupted: true }],
    ])
  })

  it('removes what was applied, and keeps open checkpoints', async () => {
    const journal = await open({ segmentBytes: 2_000, batchSize: 10 })
    journal.checkpoint(aSettlement('long stream', 5))
    for (let index = 0; index < 100; index++) await journal.append(aSettlement(`call-${index}`))
    for (let batch = await journal.nextBatch(); batch; batch = await journal.nextBatch()) {
      await batch.written
      await journal.markApplied(batch)
    }
    await expect.poll(() => readdir(directory)).not.toContain('000000000001.journal')
    await journal.append(aSettlement('after'))

    const { batches } = await readJournal(directory)

    const left = batches.flatMap(({ settlements }) => settlements.map(({ requestId }) => requestId))
    expect(left).toContain('long stream')
    expect(left).toContain('after')
    expect(left).not.toContain('call-0')
    expect(journal.pendingSettlements).toBe(1)
  })

  it('limits the batch size while the database is unavailable', async () => {
    const journal = await open({ batchSize: 10 })
    await Promise.all(Array.from({ length: 25 }, (_, index) => journal.append(aSettlement(`call-${index}`))))

    const sizes: number[] = []
    for (let batch = await journal.nextBatch(); batch; batch = await journal.nextBatch()) {
      sizes.push(batch.settlements.length)
      await journal.markApplied(batch)
    }

    expect(sizes).toEqual([10, 10, 5])
    expect(journal.pendingBytes).toBe(0)
  })

  it('leaves nothing behind if it is closed with everything applied', async () => {
    const journal = await open()
    await journal.append(aSettlement('a'))
    await journal.markApplied((await journal.nextBatch())!)

    await journal.close()

    await expect(readdir(directory)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('stays if it is closed with settlements left', async () => {
    const journal = await open({ syncEach: true })
    await journal.append(aSettlement('left'))

    await journal.close()

    expect(await readFile(join(directory, (await readdir(directory))[0]!), 'utf8')).toContain('left')
  })
})
