import { UNLIMITED_USES } from '@tidegate/contract/api'

export const LONGEST_NAME = 20
export const LONGEST_KEY = 32
export const MOST_AT_ONCE = 100
/** As much as an account can hold. */
const MAX_QUOTA = 9_000_000_000_000_000
const MOST_USES = 2_147_483_647

export type Problem =
  | 'nameBlank'
  | 'nameLong'
  | 'quotaBlank'
  | 'quotaRange'
  | 'usesInvalid'
  | 'windowInvalid'
  | 'keyInvalid'
  | 'countInvalid'

/** Signs are counted as people do, and as the server does. */
export function nameProblem(name: string): Problem | null {
  return [...name.trim()].length > LONGEST_NAME ? 'nameLong' : null
}

export function knownNameProblem(name: string): Problem | null {
  return name.trim() === '' ? 'nameBlank' : nameProblem(name)
}

export function quotaProblem(quota: number | null): Problem | null {
  if (quota === null) return 'quotaBlank'
  return Number.isSafeInteger(quota) && quota >= 1 && quota <= MAX_QUOTA ? null : 'quotaRange'
}

export function usesProblem(uses: number | null): Problem | null {
  if (uses === UNLIMITED_USES) return null
  return isWhole(uses, MOST_USES) ? null : 'usesInvalid'
}

export function keyProblem(given: string): Problem | null {
  const key = given.trim()
  return [...key].length > LONGEST_KEY || /[\p{C}\s]/u.test(key) ? 'keyInvalid' : null
}

export function countProblem(count: number | null): Problem | null {
  return isWhole(count, MOST_AT_ONCE) ? null : 'countInvalid'
}

/** Seconds since 1970; an end that is null is open. */
export function windowProblem(from: number | null, until: number | null): Problem | null {
  return from !== null && until !== null && from >= until ? 'windowInvalid' : null
}

function isWhole(value: number | null, most: number): boolean {
  return value !== null && Number.isInteger(value) && value >= 1 && value <= most
}
