/** The areas of a report. */
export const AREAS = ['users', 'tokens', 'channels', 'options', 'redemptions', 'top_ups', 'logs'] as const
export type Area = (typeof AREAS)[number]

/** `left` was not imported, `changed` was imported with a change, `clash` prevents the import until it is resolved. */
export type Outcome = 'left' | 'changed' | 'clash'

export interface Finding {
  readonly area: Area
  readonly outcome: Outcome
  readonly reason: string
  count: number
  readonly examples: string[]
}

export interface Counts {
  /** In the source. */
  found: number
  /** Imported now, or to be imported. */
  carried: number
  /** Imported by an earlier run. */
  present: number
}

const EXAMPLES = 5

/** Collects findings: each reason with a count and a few examples. */
export class Report {
  readonly counts: Record<Area, Counts>
  readonly #findings = new Map<string, Finding>()

  constructor() {
    const noCounts = (area: Area) => [area, { found: 0, carried: 0, present: 0 }] as const
    this.counts = Object.fromEntries(AREAS.map(noCounts)) as Record<Area, Counts>
  }

  get findings(): readonly Finding[] {
    return [...this.#findings.values()].toSorted((one, other) => AREAS.indexOf(one.area) - AREAS.indexOf(other.area))
  }

  get clashes(): readonly Finding[] {
    return this.findings.filter(({ outcome }) => outcome === 'clash')
  }

  /** Returns undefined, so that a reader can report and return in one statement. */
  note(area: Area, outcome: Outcome, reason: string, example: string): undefined {
    const key = `${area} ${outcome} ${reason}`
    const finding = this.#findings.get(key) ?? { area, outcome, reason, count: 0, examples: [] }
    finding.count += 1
    if (finding.examples.length < EXAMPLES) finding.examples.push(example)
    this.#findings.set(key, finding)
    return undefined
  }
}

/** Reports a conflict, which prevents the import, or leaves out the row with `skipClashes`. */
export type Clash = (area: Area, reason: string, example: string) => void

export function clashesOf(report: Report, skipClashes: boolean): Clash {
  return (area, reason, example) => report.note(area, skipClashes ? 'left' : 'clash', reason, example)
}
