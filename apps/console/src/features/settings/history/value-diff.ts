import type { OptionFacts } from '@tidegate/contract/api'
import { formatJson } from '../../../lib/json-text.ts'
import { diffLines, type DiffLine } from './line-diff.ts'

export interface EntryDiff {
  /** The name within the map, or the way to it. */
  name: string
  /** Null when it was not there, or is not there any more. */
  before: string | null
  after: string | null
}

/** How two values of an option are best told apart. */
export type ValueDiff =
  | { shape: 'inline'; before: string; after: string }
  | { shape: 'entries'; entries: EntryDiff[] }
  | { shape: 'lines'; lines: DiffLine[] }

const MAX_INLINE_LENGTH = 60

export function diffValues(kind: OptionFacts['kind'], before: string, after: string): ValueDiff {
  if (kind === 'json') return diffJson(before, after)
  if (kind === 'list') return { shape: 'lines', lines: diffLines(onLines(before), onLines(after)) }
  const isShort = [before, after].every((text) => text.length <= MAX_INLINE_LENGTH && !text.includes('\n'))
  return isShort && kind !== 'lines'
    ? { shape: 'inline', before, after }
    : { shape: 'lines', lines: diffLines(before, after) }
}

const onLines = (list: string): string => list.replaceAll(',', '\n')

function diffJson(before: string, after: string): ValueDiff {
  const [old, now] = [recordIn(before), recordIn(after)]
  if (old && now) return { shape: 'entries', entries: diffRecords(old, now) }
  return { shape: 'lines', lines: diffLines(formatJson(before), formatJson(after)) }
}

type NamedValues = Readonly<Record<string, unknown>>

function diffRecords(before: NamedValues, after: NamedValues, way = ''): EntryDiff[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name) => {
    const [old, now] = [valueAt(before, name), valueAt(after, name)]
    const path = way === '' ? name : `${way} › ${name}`
    if (isRecord(old) && isRecord(now)) return diffRecords(old, now, path)
    const entry = { name: path, before: written(old), after: written(now) }
    return entry.before === entry.after ? [] : [entry]
  })
}

const valueAt = (record: NamedValues, name: string): unknown => (Object.hasOwn(record, name) ? record[name] : undefined)

function written(value: unknown): string | null {
  if (value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function recordIn(text: string): NamedValues | undefined {
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
