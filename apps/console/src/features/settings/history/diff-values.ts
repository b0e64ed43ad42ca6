import type { OptionFacts } from '@tidegate/contract/api'
import { formatJson } from '../../../lib/json-text.ts'

export interface EntryDiff {
  /** The name in the map, or the path to it. */
  name: string
  /** Null if the entry was added or removed. */
  before: string | null
  after: string | null
}

/** The most readable form of a change. */
export type ValueDiff =
  | { shape: 'inline'; before: string; after: string }
  | { shape: 'entries'; entries: EntryDiff[] }
  | { shape: 'lines'; lines: DiffLine[] }

const MAX_INLINE_LENGTH = 60

export function diffValues(kind: OptionFacts['kind'], before: string, after: string): ValueDiff {
  if (kind === 'json') return diffJson(before, after)
  if (kind === 'list') return { shape: 'lines', lines: diffLines(toLines(before), toLines(after)) }
  const isShort = [before, after].every((text) => text.length <= MAX_INLINE_LENGTH && !text.includes('\n'))
  return isShort && kind !== 'lines'
    ? { shape: 'inline', before, after }
    : { shape: 'lines', lines: diffLines(before, after) }
}

const toLines = (list: string): string => list.replaceAll(',', '\n')

function diffJson(before: string, after: string): ValueDiff {
  const [old, now] = [parseRecord(before), parseRecord(after)]
  if (old && now) return { shape: 'entries', entries: diffRecords(old, now) }
  return { shape: 'lines', lines: diffLines(formatJson(before), formatJson(after)) }
}

type NamedValues = Readonly<Record<string, unknown>>

function diffRecords(before: NamedValues, after: NamedValues, parent = ''): EntryDiff[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name) => {
    const [old, now] = [valueAt(before, name), valueAt(after, name)]
    const path = parent === '' ? name : `${parent} › ${name}`
    // A rate card that is added or removed is listed by its rates, not as JSON.
    if (isNested(old, now)) return diffRecords(asRecord(old), asRecord(now), path)
    const entry = { name: path, before: textOf(old), after: textOf(now) }
    return entry.before === entry.after ? [] : [entry]
  })
}

/** One of the values is a map or a list of maps, and the other is none or alike. */
const isNested = (old: unknown, now: unknown): boolean =>
  [old, now].some(isBranch) && [old, now].every((value) => value === undefined || isBranch(value))

const isBranch = (value: unknown): boolean =>
  isRecord(value) || (Array.isArray(value) && value.length > 0 && value.every(isRecord))

/** A list by numbers from 1 on. */
const asRecord = (value: unknown): NamedValues =>
  Array.isArray(value)
    ? Object.fromEntries(value.map((item: unknown, index) => [String(index + 1), item]))
    : ((value ?? {}) as NamedValues)

const valueAt = (record: NamedValues, name: string): unknown => (Object.hasOwn(record, name) ? record[name] : undefined)

function textOf(value: unknown): string | null {
  if (value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function parseRecord(text: string): NamedValues | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is NamedValues {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export type DiffLine =
  | { kind: 'same' | 'removed' | 'added'; text: string }
  /** Equal lines that are not shown. */
  | { kind: 'skipped'; count: number }

/** Equal lines shown before and after a change. */
const CONTEXT_LINES = 2
/** A larger table would take too long. The changed middle is then shown as replaced. */
const MAX_TABLE_SIZE = 4_000_000

/** A line diff by the longest common subsequence. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  const start = countWhile(old, now, (index) => [index, index])
  const end = countWhile(old.slice(start), now.slice(start), (index) => [-1 - index, -1 - index])
  const middle = diffMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end))
  return skipEqualLines([...old.slice(0, start).map(same), ...middle, ...old.slice(old.length - end).map(same)])
}

type PlainLine = Exclude<DiffLine, { kind: 'skipped' }>
const same = (text: string): PlainLine => ({ kind: 'same', text })

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'))

function countWhile(old: string[], now: string[], at: (index: number) => [number, number]): number {
  const most = Math.min(old.length, now.length)
  let count = 0
  while (count < most && old.at(at(count)[0]) === now.at(at(count)[1])) count += 1
  return count
}

function diffMiddle(old: string[], now: string[]): PlainLine[] {
  const removed = (text: string): PlainLine => ({ kind: 'removed', text })
  const added = (text: string): PlainLine => ({ kind: 'added', text })
  if (old.length * now.length > MAX_TABLE_SIZE) return [...old.map(removed), ...now.map(added)]
  const lengths = commonLengths(old, now)
  const lines: PlainLine[] = []
  let [row, column] = [0, 0]
  while (row < old.length || column < now.length) {
    if (row < old.length && column < now.length && old[row] === now[column]) {
      lines.push(same(old[row]!))
      row += 1
      column += 1
    } else if (column >= now.length || (row < old.length && lengths[row + 1]![column]! >= lengths[row]![column + 1]!)) {
      lines.push(removed(old[row]!))
      row += 1
    } else {
      lines.push(added(now[column]!))
      column += 1
    }
  }
  return lines
}

/** Length of the common subsequence from each pair of lines to the end. */
function commonLengths(old: string[], now: string[]): Uint32Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1))
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = now.length - 1; column >= 0; column -= 1) {
      lengths[row]![column] =
        old[row] === now[column]
          ? lengths[row + 1]![column + 1]! + 1
          : Math.max(lengths[row + 1]![column]!, lengths[row]![column + 1]!)
    }
  }
  return lengths
}

function skipEqualLines(lines: readonly PlainLine[]): DiffLine[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1).some(({ kind }) => kind !== 'same'),
  )
  const shown: DiffLine[] = []
  for (const [index, line] of lines.entries()) {
    const last = shown.at(-1)
    if (isNear[index]) shown.push(line)
    else if (last?.kind === 'skipped') last.count += 1
    else shown.push({ kind: 'skipped', count: 1 })
  }
  return shown
}
