import { afterAll, beforeAll, expect } from 'vitest'
import { type AttackSite, openAttackSite } from '../../scenarios/attacks/support/attack-site.ts'
import type { Findings } from '../../scenarios/attacks/support/findings.ts'

/** Longer than anything here takes by itself: the machine may be busy. */
export const PATIENT = { timeout: 480_000 }

/** One site for the tests of a file, which come one after the other. */
export function useAttackSite(): () => AttackSite {
  let site: AttackSite | undefined
  beforeAll(async () => {
    site = await openAttackSite()
  })
  afterAll(() => site?.close())
  return () => site!
}

/** Nothing went wrong, and it was not for want of trying. */
export function expectNoFailures({ tried, failures }: Findings, atLeast: number): void {
  expect(failures).toEqual([])
  expect(tried).toBeGreaterThanOrEqual(atLeast)
}
