import { appendFile, mkdtemp, readdir, readFile, rm, truncate, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chargeOf, settlementOf } from '../../test/books.ts'
import { encodeLine, readWholeJournal, removeRecords, writeJournalLines } from '../../test/journal-files.ts'
import { ByteWriter } from './bytes.ts'
import { openJournal } from './journal.ts'
import { decodeLine } from './lines.ts'
import { readJournal } from './read-journal.ts'
import { writeFrame } from './frames.ts'

let directory: string
beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'tidegate-journal-')), 'holder')
})
afterEach(() => rm(join(directory, '..'), { recursive: true, force: true }))

function aCharge(requestId: string, quota = 1) {
  return chargeOf({ requestId, userId: 1, tokenId: 2, tokenUnlimited: false }, quota)
}

const open = (options = {}) => openJournal({ directory, syncEach: false, ...options })

describe('a journal', () => {
  it('returns what was appended, in order, after a crash', async () => {
    const journal = await open()
    await Promise.all(['a', 'b', 'c'].map((id) => journal.append(aCharge(id))))
    const first = await journal.nextBatch()
    await first!.written
    await journal.append(aCharge('d'))

    const { batches, damagedRecords } = await readWholeJournal(directory)

    expect(batches.map(({ number, settlements }) => [number, settlements.map(({ requestId }) => requestId)])).toEqual([
      [1, ['a', 'b', 'c']],
      [2, ['d']],
    ])
    expect(damagedRecords).toBe(0)
    expect(await readWholeJournal(directory)).toEqual({ batches, damagedRecords }) // and again
  })

  it('loses only the record that a crash truncated', async () => {
    const journal = await open()
    await journal.append(aCharge('whole'))
    await journal.append(aCharge('torn'))
    const [segment] = await readdir(directory)
    const { size } = await stat(join(directory, segment!))
    await truncate(join(directory, segment!), size - 5)

    const { batches, damagedRecords } = await readWholeJournal(directory)

    expect(batches.flatMap(({ settlements }) => settlements.map(({ requestId }) => requestId))).toEqual(['whole'])
    expect(damagedRecords).toBe(1)
  })

  it('continues after damage in the middle', async () => {
    const journal = await open()
    await journal.append(aCharge('before'))
    const [segment] = await readdir(directory)
    await appendFile(join(directory, segment!), 'garbage\n')
    await journal.append(aCharge('after'))

    const { batches, damagedRecords } = await readWholeJournal(directory)

    expect(batches[0]!.settlements.map(({ requestId }) => requestId)).toEqual(['before', 'after'])
    expect(damagedRecords).toBe(1)
  })

  it('keeps batches apart if the record between them could not be written', async () => {
    const journal = await open()
    await journal.append(aCharge('a'))
    await (await journal.nextBatch())!.written
    await journal.append(aCharge('b'))
    await removeRecords(directory, ({ kind }) => kind === 'cut')

    const { batches } = await readWholeJournal(directory)

    expect(batches.map(({ number, settlements }) => [number, settlements.map(({ requestId }) => requestId)])).toEqual([
      [1, ['a']],
      [2, ['b']],
    ])
  })

  it('bills a stream that a crash interrupted by its last checkpoint, marked as interrupted', async () => {
    const journal = await open()
    journal.checkpoint(aCharge('cut off', 5))
    journal.checkpoint(aCharge('cut off', 9))
    journal.checkpoint(aCharge('finished', 3))
    journal.checkpoint(aCharge('released', 4))
    journal.release('released')
    await journal.append(aCharge('finished', 30))

    const { batches } = await readWholeJournal(directory)

    expect(
      batches
        .flatMap(({ settlements }) => settlements)
        .map(({ requestId, quota, log }) => [requestId, quota, log.other.interrupted]),
    ).toEqual([
      ['finished', 30, undefined],
      ['cut off', 9, true],
    ])
  })

  it('removes what was applied, and keeps open checkpoints', async () => {
    const journal = await open({ segmentBytes: 2_000, batchSize: 10 })
    journal.checkpoint(aCharge('long stream', 5))
    for (let index = 0; index < 100; index++) await journal.append(aCharge(`call-${index}`))
    for (let batch = await journal.nextBatch(); batch; batch = await journal.nextBatch()) {
      await batch.written
      await journal.markApplied(batch)
    }
    await expect.poll(() => readdir(directory)).not.toContain('000000000001.journal')
    await journal.append(aCharge('after'))

    const { batches } = await readWholeJournal(directory)

    const left = batches.flatMap(({ settlements }) => settlements.map(({ requestId }) => requestId))
    expect(left).toContain('long stream')
    expect(left).toContain('after')
    expect(left).not.toContain('call-0')
    expect(journal.pendingSettlements).toBe(1)
  })

  it('limits the batch size while the database is unavailable', async () => {
    const journal = await open({ batchSize: 10 })
    await Promise.all(Array.from({ length: 25 }, (_, index) => journal.append(aCharge(`call-${index}`))))

    const sizes: number[] = []
    for (let batch = await journal.nextBatch(); batch; batch = await journal.nextBatch()) {
      sizes.push(batch.size)
      await journal.markApplied(batch)
    }

    expect(sizes).toEqual([10, 10, 5])
    expect(journal.pendingBytes).toBe(0)
  })

  it('leaves nothing behind if it is closed with everything applied', async () => {
    const journal = await open()
    await journal.append(aCharge('a'))
    await journal.markApplied((await journal.nextBatch())!)

    await journal.close()

    await expect(readdir(directory)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('stays if it is closed with settlements left', async () => {
    const journal = await open({ syncEach: true })
    await journal.append(aCharge('left'))

    await journal.close()

    expect(await readFile(join(directory, (await readdir(directory))[0]!), 'utf8')).toContain('left')
  })

  it('gives a batch and its replay the same log rows', async () => {
    const journal = await open()
    const charge = aCharge('a', 12)
    await journal.append(charge)

    const batch = await journal.nextBatch()

    expect([...batch!.settlements()]).toEqual([settlementOf(charge)])
    expect((await readWholeJournal(directory)).batches).toEqual([{ number: 1, settlements: [settlementOf(charge)] }])
  })

  it('writes a text once for each segment', async () => {
    const journal = await open({ segmentBytes: 4_000 })
    const username = 'a name that is easy to find'
    for (let index = 0; index < 60; index++) {
      const base = { requestId: `call-${index}`, userId: 1, tokenId: 0, tokenUnlimited: true }
      await journal.append(chargeOf(base, 1, { username }))
    }
    await expect.poll(async () => (await readdir(directory)).length).toBeGreaterThan(1)

    const { batches } = await readWholeJournal(directory)

    const segments = await Promise.all(
      (await readdir(directory)).map((name) => readFile(join(directory, name), 'utf8')),
    )
    for (const segment of segments) expect(segment.split(username).length - 1).toBeLessThanOrEqual(1)
    const rows = batches.flatMap(({ settlements }) => settlements.map(({ log }) => log.username))
    expect(rows).toEqual(Array.from({ length: 60 }, () => username))
  })

  it('is read segment by segment, because a full one does not fit in memory', async () => {
    const journal = await open({ segmentBytes: 2_000, batchSize: 5 })
    for (let index = 0; index < 60; index++) await journal.append(aCharge(`call-${index}`))
    await expect.poll(async () => (await readdir(directory)).length).toBeGreaterThan(1)
    const reading = readJournal(directory)

    const first = await reading.next()
    await rm(directory, { recursive: true })
    const rest = async () => {
      while (!(await reading.next()).done);
    }

    expect(first.value).toMatchObject({ number: 1 })
    await expect(rest()).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('reports a journal of a later format, and keeps it', async () => {
    await (await open()).append(aCharge('a'))
    const [segment] = await readdir(directory)
    const writer = new ByteWriter()
    writeFrame(writer, () => [1, 5, 1].forEach((value) => writer.natural(value)))
    await writeFile(join(directory, segment!), writer.view())

    await expect(readWholeJournal(directory)).rejects.toThrow('the journal has format 5')
  })
})

describe('a journal of the release before', () => {
  const booking = settlementOf(aCharge('潮\n"\u2028', 5))

  it('has lines that are rejected if any part is missing or changed', () => {
    const text = encodeLine({ kind: 'cut', batch: 7 }).trimEnd()

    expect(decodeLine(encodeLine({ kind: 'booking', batch: 3, booking }).trimEnd())).toEqual({
      kind: 'booking',
      batch: 3,
      booking,
    })
    for (let length = 0; length < text.length; length++) expect(decodeLine(text.slice(0, length))).toBeUndefined()
    expect(decodeLine(text.replace('7', '8'))).toBeUndefined()
  })

  it('is read in the same batches', async () => {
    const row = (requestId: string, quota = 1) => ({ ...booking, requestId, quota })
    await writeJournalLines(directory, [
      { kind: 'segment', batch: 1 },
      { kind: 'booking', batch: 1, booking: row('a') },
      { kind: 'checkpoint', booking: row('cut off', 9) },
      { kind: 'checkpoint', booking: row('released', 9) },
      { kind: 'checkpoint', booking: row('finished', 2) },
      { kind: 'cut', batch: 1 },
      { kind: 'release', requestId: 'released' },
      { kind: 'booking', batch: 2, booking: row('finished', 30) },
    ])
    const [segment] = await readdir(directory)
    await appendFile(join(directory, segment!), '0badc0de {"kind":"book')

    const { batches, damagedRecords } = await readWholeJournal(directory)

    expect(damagedRecords).toBe(1)
    expect(batches.map(({ number, settlements }) => [number, settlements.map(({ requestId }) => requestId)])).toEqual([
      [1, ['a']],
      [2, ['finished']],
      [undefined, ['cut off']],
    ])
    expect(batches[0]!.settlements[0]).toEqual(row('a'))
    expect(batches[2]!.settlements[0]!.log.other).toMatchObject({ interrupted: true })
  })
})
