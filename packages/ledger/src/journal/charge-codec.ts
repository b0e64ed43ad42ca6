import { BUCKETS, type Bucket } from '@tidegate/contract'
import { NO_USAGE, priceFactors, type Receipt, type ReceiptData, type Usage } from '@tidegate/pricing'
import { hasOwnAccount, type Charge, type SettlementLog } from '../settlement/settlement.ts'
import type { ByteReader, ByteWriter } from './bytes.ts'
import { NO_TEXT, type TextTable } from './text-table.ts'

/** Bits of the flags of a charge. */
const KEEP_LOG = 1
const OWN_ACCOUNT = 2
const IS_STREAM = 4
const IS_ESTIMATED = 8
const HAS_CONTENT = 16
const HAS_BATCH_LINE = 32
const IS_INTERRUPTED = 64
const IS_OVERDRAWN = 128

/** Step times have two decimals. */
const TIME_FACTOR = 100

/**
 * Writes a charge in 100 to 200 bytes: numbers, and the numbers of texts that the segment has once, such as names and
 * the factors of the price. It runs for every request; the log row is made from it when its batch is applied.
 */
export function writeCharge(writer: ByteWriter, texts: TextTable, charge: Charge | Charge<ReceiptData>): void {
  const { base, outcome, charged, overdrawn = 0, keepLog } = charge
  const { usage, receipt, log } = outcome
  let flags = keepLog ? KEEP_LOG : 0
  if (hasOwnAccount(base)) flags |= OWN_ACCOUNT
  if (log.isStream) flags |= IS_STREAM
  if (usage.estimated) flags |= IS_ESTIMATED
  if (log.content !== undefined) flags |= HAS_CONTENT
  if (log.batchLine) flags |= HAS_BATCH_LINE
  if (charge.interrupted) flags |= IS_INTERRUPTED
  if (overdrawn > 0) flags |= IS_OVERDRAWN
  writer.natural(flags)
  writer.text(base.requestId)
  writer.natural(base.userId)
  writer.natural(base.tokenId)
  writer.natural(charged)
  if (overdrawn > 0) writer.natural(overdrawn)
  writeUsage(writer, texts, usage)
  writeReceipt(writer, texts, receipt)
  writeLog(writer, texts, log)
}

export function readCharge(reader: ByteReader, texts: TextTable): Charge<ReceiptData> {
  const flags = reader.natural()
  const requestId = reader.text()
  const userId = reader.natural()
  const tokenId = reader.natural()
  const charged = reader.natural()
  const overdrawn = (flags & IS_OVERDRAWN) === 0 ? undefined : reader.natural()
  const base = { requestId, userId, tokenId, tokenUnlimited: (flags & OWN_ACCOUNT) === 0 }
  const usage = readUsage(reader, texts, (flags & IS_ESTIMATED) !== 0)
  const receipt = readReceipt(reader, texts)
  const log = readLog(reader, texts, flags)
  return {
    base,
    outcome: { usage, receipt, log },
    charged,
    ...(overdrawn !== undefined && { overdrawn }),
    ...((flags & IS_INTERRUPTED) !== 0 && { interrupted: true }),
    keepLog: (flags & KEEP_LOG) !== 0,
  }
}

/** Without the terms of service: the lines of the receipt contain their result. */
function writeUsage(writer: ByteWriter, texts: TextTable, usage: Usage): void {
  let used = 0
  for (const bucket of BUCKETS) if (usage[bucket] !== 0) used += 1
  writer.natural(used)
  for (const bucket of BUCKETS) {
    if (usage[bucket] === 0) continue
    writer.natural(texts.idOf(bucket))
    writer.natural(usage[bucket])
  }
  writeOptional(writer, usage.pieces)
}

function readUsage(reader: ByteReader, texts: TextTable, estimated: boolean): Usage {
  const usage: Record<Bucket, number> & { estimated: boolean; pieces?: number } = { ...NO_USAGE, estimated }
  for (let left = reader.natural(); left > 0; left -= 1) {
    const bucket = texts.text(reader.natural()) as Bucket
    usage[bucket] = reader.natural()
  }
  const pieces = readOptional(reader)
  if (pieces !== undefined) usage.pieces = pieces
  return usage
}

function writeReceipt(writer: ByteWriter, texts: TextTable, receipt: Receipt | ReceiptData): void {
  const { quota, lines, tiers, unpriced } = receipt
  const factors = 'factors' in receipt ? receipt.factors : priceFactors(receipt.price, receipt.at)
  writer.natural(quota)
  writer.natural(texts.idOf(factorsText(factors)))
  writer.natural(lines.length)
  for (const { item, count, rate } of lines) {
    writer.natural(texts.idOf(item))
    writer.number(count)
    writer.number(rate)
  }
  writer.natural(tiers.length > 0 ? texts.idOf(JSON.stringify(tiers)) : NO_TEXT)
  writer.natural(unpriced.length > 0 ? texts.idOf(JSON.stringify(unpriced)) : NO_TEXT)
}

const factorsTexts = new WeakMap<ReceiptData['factors'], string>()

/** Cached: one price serves many requests. */
function factorsText(factors: ReceiptData['factors']): string {
  let text = factorsTexts.get(factors)
  if (text === undefined) factorsTexts.set(factors, (text = JSON.stringify(factors)))
  return text
}

function readReceipt(reader: ByteReader, texts: TextTable): ReceiptData {
  const quota = reader.natural()
  const factors = texts.value(reader.natural()) as ReceiptData['factors']
  const lines = readList(reader, () => ({
    item: texts.text(reader.natural()) as ReceiptData['lines'][number]['item'],
    count: reader.number(),
    rate: reader.number(),
  }))
  const tiers = (readValue(reader, texts) ?? []) as ReceiptData['tiers']
  const unpriced = (readValue(reader, texts) ?? []) as ReceiptData['unpriced']
  return { quota, factors, lines, tiers, unpriced }
}

function writeLog(writer: ByteWriter, texts: TextTable, log: SettlementLog): void {
  const { timing, attempts, decision, details, content } = log
  writer.natural(log.type)
  writer.number(log.createdAt)
  writer.natural(texts.idOf(log.username))
  writer.natural(texts.idOf(log.tokenName))
  writer.natural(texts.idOf(log.modelName))
  writer.natural(log.channelId)
  writer.natural(texts.idOf(log.group))
  writer.number(log.useTimeMs)
  writer.text(log.clientIp)
  if (content !== undefined) writer.text(content)
  writeOptional(writer, log.taskId)
  if (log.batchLine) {
    writer.natural(texts.idOf(log.batchLine.batchId))
    writer.natural(log.batchLine.number)
  }
  writer.number(log.firstTokenMs)
  const steps = Object.keys(timing)
  writer.natural(steps.length)
  for (const step of steps) {
    writer.natural(texts.idOf(step))
    writer.number(Math.round(timing[step]! * TIME_FACTOR))
  }
  writer.natural(attempts.length)
  for (const { channel, dialect, milliseconds, status, reason } of attempts) {
    writer.natural(channel)
    writer.natural(texts.idOf(dialect))
    writer.number(milliseconds)
    writeOptional(writer, status)
    writer.natural(reason === undefined ? NO_TEXT : texts.idOf(reason))
  }
  writer.natural(decision.candidates)
  writeOptional(writer, decision.kept)
  writer.natural(decision.passedOverCount)
  writer.natural(decision.passedOver.length)
  for (const { channelId, reason } of decision.passedOver) {
    writer.natural(channelId)
    writer.natural(texts.idOf(reason))
  }
  writer.natural(details === undefined ? NO_TEXT : texts.idOf(JSON.stringify(details)))
}

function readLog(reader: ByteReader, texts: TextTable, flags: number): SettlementLog {
  const type = reader.natural()
  const createdAt = reader.number()
  const username = texts.text(reader.natural())
  const tokenName = texts.text(reader.natural())
  const modelName = texts.text(reader.natural())
  const channelId = reader.natural()
  const group = texts.text(reader.natural())
  const useTimeMs = reader.number()
  const clientIp = reader.text()
  const content = (flags & HAS_CONTENT) === 0 ? undefined : reader.text()
  const taskId = readOptional(reader)
  const batchLine =
    (flags & HAS_BATCH_LINE) === 0 ? undefined : { batchId: texts.text(reader.natural()), number: reader.natural() }
  const firstTokenMs = reader.number()
  const timing: Record<string, number> = {}
  for (let left = reader.natural(); left > 0; left -= 1) {
    const step = texts.text(reader.natural())
    timing[step] = reader.number() / TIME_FACTOR
  }
  const attempts = readList(reader, () => readAttempt(reader, texts))
  const decision = readDecision(reader, texts)
  const details = readValue(reader, texts) as SettlementLog['details']
  return {
    type,
    createdAt,
    username,
    tokenName,
    modelName,
    channelId,
    group,
    isStream: (flags & IS_STREAM) !== 0,
    useTimeMs,
    clientIp,
    ...(content !== undefined && { content }),
    ...(taskId !== undefined && { taskId }),
    ...(batchLine && { batchLine }),
    firstTokenMs,
    timing,
    attempts,
    decision,
    ...(details !== undefined && { details }),
  }
}

function readAttempt(reader: ByteReader, texts: TextTable): SettlementLog['attempts'][number] {
  const channel = reader.natural()
  const dialect = texts.text(reader.natural())
  const milliseconds = reader.number()
  const status = readOptional(reader)
  const reason = reader.natural()
  return {
    channel,
    dialect,
    milliseconds,
    ...(status !== undefined && { status }),
    ...(reason !== NO_TEXT && { reason: texts.text(reason) }),
  }
}

function readDecision(reader: ByteReader, texts: TextTable): SettlementLog['decision'] {
  const candidates = reader.natural()
  const kept = readOptional(reader)
  const passedOverCount = reader.natural()
  const passedOver = readList(reader, () => ({ channelId: reader.natural(), reason: texts.text(reader.natural()) }))
  return { candidates, ...(kept !== undefined && { kept }), passedOver, passedOverCount }
}

function writeOptional(writer: ByteWriter, value: number | undefined): void {
  writer.natural(value === undefined ? 0 : 1)
  if (value !== undefined) writer.number(value)
}

function readOptional(reader: ByteReader): number | undefined {
  return reader.natural() === 0 ? undefined : reader.number()
}

function readList<Item>(reader: ByteReader, read: () => Item): Item[] {
  const list: Item[] = []
  for (let left = reader.natural(); left > 0; left -= 1) list.push(read())
  return list
}

function readValue(reader: ByteReader, texts: TextTable): unknown {
  const id = reader.natural()
  return id === NO_TEXT ? undefined : texts.value(id)
}
