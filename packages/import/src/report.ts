/** Things of one kind, as a report counts them. */
export const AREAS = ['users', 'tokens', 'channels', 'options', 'redemptions', 'top_ups', 'logs'] as const
export type Area = (typeof AREAS)[number]

/**
 * What becomes of something: `left` stays behind, `changed` comes otherwise than it was, `clash` is in the way of all
 * until somebody decides.
 */
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
  /** To be carried now, or carried. */
  carried: number
  /** Here already from an earlier run. */
  present: number
}

const EXAMPLES = 5

/** What was seen on the way, each reason counted and with a few examples. */
export class Report {
  readonly counts: Record<Area, Counts>
  readonly #findings = new Map<string, Finding>()

  constructor() {
    const none = (area: Area) => [area, { found: 0, carried: 0, present: 0 }] as const
    this.counts = Object.fromEntries(AREAS.map(none)) as Record<Area, Counts>
  }

  get findings(): readonly Finding[] {
    return [...this.#findings.values()].toSorted((one, other) => AREAS.indexOf(one.area) - AREAS.indexOf(other.area))
  }

  get clashes(): readonly Finding[] {
    return this.findings.filter(({ outcome }) => outcome === 'clash')
  }

  /** Gives nothing, so that a reader can note and give nothing in one breath. */
  note(area: Area, outcome: Outcome, reason: string, example: string): undefined {
    const key = `${area} ${outcome} ${reason}`
    const finding = this.#findings.get(key) ?? { area, outcome, reason, count: 0, examples: [] }
    finding.count += 1
    if (finding.examples.length < EXAMPLES) finding.examples.push(example)
    this.#findings.set(key, finding)
    return undefined
  }
}

/** Notes something that cannot come: in the way of all, or left behind where that was asked for. */
export type Clash = (area: Area, reason: string, example: string) => void

export function clashesOf(report: Report, skipClashes: boolean): Clash {
  return (area, reason, example) => report.note(area, skipClashes ? 'left' : 'clash', reason, example)
}
