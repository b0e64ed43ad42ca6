export type DiffLine =
  | { kind: 'same' | 'gone' | 'new'; text: string }
  /** A stretch of equal lines that is not worth showing. */
  | { kind: 'skipped'; count: number }

/** Equal lines shown around a change, so that one sees where it is. */
const AROUND = 2
/** Beyond this the table of lengths would take longer than anybody waits: the middle counts as rewritten. */
const LARGEST_TABLE = 4_000_000

/** What became of each line, by the longest sequence of lines that both texts share. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  const start = countWhile(old, now, (index) => [index, index])
  const end = countWhile(old.slice(start), now.slice(start), (index) => [-1 - index, -1 - index])
  const middle = diffMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end))
  return withoutLongStretches([...old.slice(0, start).map(same), ...middle, ...old.slice(old.length - end).map(same)])
}

type PlainLine = Exclude<DiffLine, { kind: 'skipped' }>
const same = (text: string): PlainLine => ({ kind: 'same', text })

/** A blank text has no line. */
const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'))

function countWhile(old: string[], now: string[], at: (index: number) => [number, number]): number {
  const most = Math.min(old.length, now.length)
  let count = 0
  while (count < most && old.at(at(count)[0]) === now.at(at(count)[1])) count += 1
  return count
}

function diffMiddle(old: string[], now: string[]): PlainLine[] {
  const gone = (text: string): PlainLine => ({ kind: 'gone', text })
  const added = (text: string): PlainLine => ({ kind: 'new', text })
  if (old.length * now.length > LARGEST_TABLE) return [...old.map(gone), ...now.map(added)]
  const lengths = sharedLengths(old, now)
  const lines: PlainLine[] = []
  let [row, column] = [0, 0]
  while (row < old.length || column < now.length) {
    if (row < old.length && column < now.length && old[row] === now[column]) {
      lines.push(same(old[row]!))
      row += 1
      column += 1
    } else if (column >= now.length || (row < old.length && lengths[row + 1]![column]! >= lengths[row]![column + 1]!)) {
      lines.push(gone(old[row]!))
      row += 1
    } else {
      lines.push(added(now[column]!))
      column += 1
    }
  }
  return lines
}

/** How many lines the rests of both texts share, from every pair of places on. */
function sharedLengths(old: string[], now: string[]): Uint32Array[] {
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

function withoutLongStretches(lines: readonly PlainLine[]): DiffLine[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ kind }) => kind !== 'same'),
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
