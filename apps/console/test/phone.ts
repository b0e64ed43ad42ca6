import { vi } from 'vitest'

/** Renders pages as on a phone until the mocks are restored. */
export function showOnPhone(): void {
  const { matchMedia } = window
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({
    ...matchMedia(query),
    matches: query.includes('max-width'),
  }))
}
