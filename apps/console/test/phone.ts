import { vi } from 'vitest'

/** Renders pages as on a phone until the mocks are restored. */
export const showOnPhone = (): void => showAtWidth(0)

/** Renders pages as on a screen of this width until the mocks are restored. */
export function showAtWidth(width: number): void {
  const { matchMedia } = window
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({
    ...matchMedia(query),
    matches: width <= Number(/max-width: (\d+)px/.exec(query)?.[1] ?? -1),
  }))
}
