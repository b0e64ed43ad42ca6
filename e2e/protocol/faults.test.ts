import { expect, it } from 'vitest'
import { FAULTS } from '../proof/faults/index.ts'
import { runFault, shortagesOf, type FaultPlan, type FaultResult } from '../proof/faults/run-fault.ts'

/** The short forms of `npm run proof:faults`. */
const PLAN: FaultPlan = {
  callers: 8,
  callsPerSecond: 40,
  calls: { before: 30, during: 40, after: 30 },
  longestFaultMs: 5_000,
}

/** A call could not be paid for, or its key not be looked up. Both say: come back. */
const NO_DATABASE = new Set(['settlement_unavailable', 'service_unavailable'])

function refusals({ sightings }: FaultResult): string[] {
  return Object.keys(sightings.refused)
}

it('a database that fails over loses nothing that was answered', async () => {
  const result = await runFault(FAULTS['postgres-failed-over']!, PLAN)

  expect(shortagesOf(result)).toEqual([])
  expect(refusals(result).filter((code) => !NO_DATABASE.has(code))).toEqual([])
}, 120_000)

it('a database without a connection to spare costs refusals, and no money', async () => {
  const result = await runFault(FAULTS['postgres-crowded']!, PLAN)

  expect(shortagesOf(result)).toEqual([])
  expect(refusals(result).filter((code) => !NO_DATABASE.has(code))).toEqual([])
}, 120_000)
