import type { ReceiptData } from '@tidegate/pricing'
import type { AccountId } from '../leases/lease-rows.ts'
import type { Charge } from '../settlement/settlement.ts'
import { ByteReader, type ByteWriter } from './bytes.ts'
import { readCharge, writeCharge } from './charge-codec.ts'
import { writeFrame } from './frames.ts'
import type { TextTable } from './text-table.ts'

/** One record of a journal. */
export type JournalRecord =
  /** The batch number of the following records; the first record of every segment. */
  | { readonly kind: 'segment'; readonly batch: number }
  /** A text that later records of the segment name by its number. */
  | { readonly kind: 'text' }
  /** A finished request. It carries its batch number, because the `cut` may be missing after a full disk. */
  | { readonly kind: 'charge'; readonly batch: number; readonly charge: Charge<ReceiptData> }
  /** A request that is still streaming, as it would be billed if the process crashed now. */
  | { readonly kind: 'checkpoint'; readonly charge: Charge<ReceiptData> }
  /** A request with a checkpoint is not billed after all. */
  | { readonly kind: 'release'; readonly requestId: string }
  /** The batch is closed. */
  | { readonly kind: 'cut'; readonly batch: number }
  /** The credit that the process holds of an account from here on. Charges reduce it. */
  | { readonly kind: 'held'; readonly account: AccountId; readonly amount: number }
  /** The process holds no credit. */
  | { readonly kind: 'nothing-held' }
  /** The database knows that the process lived at this time, in milliseconds of the clock of the machine. */
  | { readonly kind: 'heartbeat'; readonly at: number }

/** Raised with every change that an earlier release could not read. */
const VERSION = 4
/** Without lines of batches. */
const OLDEST_VERSION = 2

const SEGMENT = 1
const TEXT = 2
const CHARGE = 3
const CHECKPOINT = 4
const RELEASE = 5
const CUT = 6
const HELD = 7
const NOTHING_HELD = 8
const HEARTBEAT = 9

export function writeSegment(writer: ByteWriter, batch: number): void {
  writeFrame(writer, () => {
    writer.natural(SEGMENT)
    writer.natural(VERSION)
    writer.natural(batch)
  })
}

export function writeText(writer: ByteWriter, id: number, text: string): void {
  writeFrame(writer, () => {
    writer.natural(TEXT)
    writer.natural(id)
    writer.text(text)
  })
}

export function writeChargeRecord(
  writer: ByteWriter,
  batch: number,
  texts: TextTable,
  charge: Charge | Charge<ReceiptData>,
): void {
  writeFrame(writer, () => {
    writer.natural(CHARGE)
    writer.natural(batch)
    writeCharge(writer, texts, charge)
  })
}

export function writeCheckpoint(writer: ByteWriter, texts: TextTable, charge: Charge | Charge<ReceiptData>): void {
  writeFrame(writer, () => {
    writer.natural(CHECKPOINT)
    writeCharge(writer, texts, charge)
  })
}

export function writeRelease(writer: ByteWriter, requestId: string): void {
  writeFrame(writer, () => {
    writer.natural(RELEASE)
    writer.text(requestId)
  })
}

export function writeCut(writer: ByteWriter, batch: number): void {
  writeFrame(writer, () => {
    writer.natural(CUT)
    writer.natural(batch)
  })
}

export function writeHeld(writer: ByteWriter, { userId, tokenId }: AccountId, amount: number): void {
  writeFrame(writer, () => {
    writer.natural(HELD)
    writer.natural(userId)
    writer.natural(tokenId)
    writer.natural(amount)
  })
}

export function writeNothingHeld(writer: ByteWriter): void {
  writeFrame(writer, () => writer.natural(NOTHING_HELD))
}

export function writeHeartbeat(writer: ByteWriter, at: number): void {
  writeFrame(writer, () => {
    writer.natural(HEARTBEAT)
    writer.natural(Math.floor(at))
  })
}

/** Reads the payload of a frame that `writeChargeRecord` wrote in this process. */
export function readChargeRecord(payload: Buffer, texts: TextTable): Charge<ReceiptData> {
  const record = readRecord(payload, texts)
  if (record.kind !== 'charge') throw new Error(`expected a charge, found a ${record.kind}`)
  return record.charge
}

/** Reads the payload of one frame. Texts go to the table. Throws for records of a later release. */
export function readRecord(payload: Buffer, texts: TextTable): JournalRecord {
  const reader = new ByteReader(payload)
  const kind = reader.natural()
  switch (kind) {
    case SEGMENT: {
      const version = reader.natural()
      if (version < OLDEST_VERSION || version > VERSION) {
        throw new Error(`the journal has format ${version}, this release reads ${OLDEST_VERSION} to ${VERSION}`)
      }
      return { kind: 'segment', batch: reader.natural() }
    }
    case TEXT: {
      const id = reader.natural()
      texts.set(id, reader.text())
      return { kind: 'text' }
    }
    case CHARGE:
      return { kind: 'charge', batch: reader.natural(), charge: readCharge(reader, texts) }
    case CHECKPOINT:
      return { kind: 'checkpoint', charge: readCharge(reader, texts) }
    case RELEASE:
      return { kind: 'release', requestId: reader.text() }
    case CUT:
      return { kind: 'cut', batch: reader.natural() }
    case HELD:
      return {
        kind: 'held',
        account: { userId: reader.natural(), tokenId: reader.natural() },
        amount: reader.natural(),
      }
    case NOTHING_HELD:
      return { kind: 'nothing-held' }
    case HEARTBEAT:
      return { kind: 'heartbeat', at: reader.natural() }
    default:
      throw new Error(`the journal has a record of the unknown kind ${kind}`)
  }
}
