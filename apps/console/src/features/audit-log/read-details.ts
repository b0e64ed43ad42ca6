/** One thing that got another value. `undefined` stands for what was not there, or is not there any more. */
export interface Change {
  /** The way to it, outermost name first; empty when the subject itself is the value. */
  path: readonly string[]
  before: unknown
  after: unknown
}

export interface EventDetails {
  changes: Change[]
  /** What else was noted, by name. */
  facts: { name: string; value: unknown }[]
}

/** Reads what an event noted: the values before and after as single changes, the rest as facts. */
export function readDetails({ before, after, ...rest }: Readonly<Record<string, unknown>>): EventDetails {
  const details: EventDetails = { changes: differences(opened(before), opened(after)), facts: [] }
  for (const [name, value] of Object.entries(rest)) {
    if (isPair(value)) details.changes.push(...differences(value.before, value.after, [name]))
    else if (value !== null) details.facts.push({ name, value })
  }
  return details
}

function differences(before: unknown, after: unknown, path: readonly string[] = []): Change[] {
  if (isSame(before, after)) return []
  const [left, right] = [asRecord(before), asRecord(after)]
  if (!left || !right) return [{ path, before, after }]
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...names].flatMap((name) => differences(valueAt(left, name), valueAt(right, name), [...path, name]))
}

/** Options are texts, many of them JSON: what changed inside is easier to read than two long lines. */
function opened(value: unknown): unknown {
  if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return value
  try {
    const parsed: unknown = JSON.parse(value)
    return isRecord(parsed) ? parsed : value
  } catch {
    return value
  }
}

/** Beside a record, nothing is a record without entries, so that what was added or removed is told entry by entry. */
function asRecord(value: unknown): Record<string, unknown> | undefined {
  if (value === undefined) return {}
  return isRecord(value) ? value : undefined
}

const valueAt = (record: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined

function isPair(value: unknown): value is { before?: unknown; after?: unknown } {
  return isRecord(value) && Object.keys(value).length > 0 && Object.keys(value).every(isSideName)
}

const isSideName = (name: string) => name === 'before' || name === 'after'

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const isSame = (one: unknown, other: unknown): boolean => one === other || JSON.stringify(one) === JSON.stringify(other)
