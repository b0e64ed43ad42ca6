import { afterAll, beforeAll, expect } from 'vitest'
import { type AttackSite, openAttackSite } from '../../scenarios/attacks/support/attack-site.ts'
import type { Findings } from '../../scenarios/attacks/support/findings.ts'

/** Longer than any test needs on a busy machine. */
export const PATIENT = { timeout: 480_000 }

/** One site for the tests of a file, which run in sequence. */
export function useAttackSite(): () => AttackSite {
  let site: AttackSite | undefined
  beforeAll(async () => {
    site = await openAttackSite()
  })
  afterAll(() => site?.close())
  return () => site!
}

/** Checks that nothing failed and that enough was tried. */
export function expectNoFailures({ tried, failures }: Findings, atLeast: number): void {
  expect(failures).toEqual([])
  expect(tried).toBeGreaterThanOrEqual(atLeast)
}
