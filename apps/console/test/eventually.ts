import { vi } from 'vitest'

/** Waits until a check passes, and on a busy machine for longer than the usual second. */
export function eventually<Found>(check: () => Found | Promise<Found>): Promise<Found> {
  return vi.waitFor(check, { timeout: 15_000 })
}
