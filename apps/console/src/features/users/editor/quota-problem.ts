/** As much as an account can hold. */
export const MAX_QUOTA = 9_000_000_000_000_000

interface Rules {
  /** The balance as it is: whatever it may be, it can stay. */
  seen: number
  /** Only a super admin may make a debt. */
  mayOwe: boolean
}

/** Why a balance cannot be set, or null when it can. */
export function quotaProblem(quota: number | null, { seen, mayOwe }: Rules): 'blank' | 'range' | 'debt' | null {
  if (quota === null) return 'blank'
  if (quota === seen) return null
  if (!Number.isSafeInteger(quota) || Math.abs(quota) > MAX_QUOTA) return 'range'
  return quota < 0 && !mayOwe ? 'debt' : null
}
