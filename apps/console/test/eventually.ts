import { vi } from 'vitest'

/** Waits until a check passes. The timeout is longer than the default, for slow machines. */
export function eventually<Found>(check: () => Found | Promise<Found>): Promise<Found> {
  return vi.waitFor(check, { timeout: 15_000 })
}
