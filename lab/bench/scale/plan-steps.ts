/** The size of a site. */
export interface Sizes {
  readonly accounts: number
  readonly tokens: number
  readonly channels: number
  readonly logRows: number
}

export interface Step {
  readonly what: string
  readonly sizes: Sizes
}

export type SizeLists = Readonly<Record<keyof Sizes, readonly number[]>>

const TEXTS: Record<keyof Sizes, string> = {
  accounts: 'accounts',
  tokens: 'tokens',
  channels: 'channels',
  logRows: 'log rows',
}

/** Starts with the smallest site. One dimension grows after the other, and stays at its size. */
export function planSteps(lists: SizeLists): Step[] {
  const kinds = Object.keys(TEXTS) as (keyof Sizes)[]
  const sizes = { accounts: 0, tokens: 0, channels: 0, logRows: 0 }
  for (const kind of kinds) sizes[kind] = Math.min(...lists[kind])
  const steps: Step[] = [{ what: 'smallest', sizes: { ...sizes } }]
  for (const kind of kinds) {
    for (const size of lists[kind].toSorted((a, b) => a - b).slice(1)) {
      sizes[kind] = size
      steps.push({ what: `${size.toLocaleString('en-US')} ${TEXTS[kind]}`, sizes: { ...sizes } })
    }
  }
  return steps
}
