/** The labels of an axis from zero: multiples of the step up to the top. */
export interface ValueAxis {
  step: number
  top: number
}

const PARTS = 4
const STEPS = [1, 2, 2.5, 5, 10]

/** A round step that divides the axis into about four parts. Undefined if there are no values. */
export function valueAxis(largest: number, wholeNumbers: boolean): ValueAxis | undefined {
  if (largest <= 0) return undefined
  const rough = largest / PARTS
  const size = 10 ** Math.floor(Math.log10(rough))
  const found = STEPS.map((factor) => factor * size).find((step) => step >= rough) ?? rough
  const step = wholeNumbers ? Math.ceil(found) : found
  return { step, top: Math.ceil(largest / step) * step }
}

const MAX_DECIMALS = 6

/** The decimals that all labels of an axis need. */
export function decimalsOfStep(step: number): number {
  for (let decimals = 0; decimals < MAX_DECIMALS; decimals += 1) {
    const scaled = step * 10 ** decimals
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6) return decimals
  }
  return MAX_DECIMALS
}
