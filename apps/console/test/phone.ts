import { vi } from 'vitest'

/** Draws screens as on a phone until the test ends and restores its mocks. */
export function showOnPhone(): void {
  const { matchMedia } = window
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({
    ...matchMedia(query),
    matches: query.includes('max-width'),
  }))
}
