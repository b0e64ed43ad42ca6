/** Apple's keyboards have ⌘ for shortcuts; their Ctrl-K cuts the rest of a line, and that stays as it is. */
const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent)

export const shortcutName = (): string => (isApple() ? '⌘K' : 'Ctrl K')

/** For those who hear the shortcut. */
export const shortcutKeys = (): string => (isApple() ? 'Meta+K' : 'Control+K')

export function isShortcut(event: KeyboardEvent): boolean {
  const { metaKey, ctrlKey, altKey, shiftKey, key } = event
  const isHeld = isApple() ? metaKey && !ctrlKey : ctrlKey && !metaKey
  return isHeld && !altKey && !shiftKey && key.toLowerCase() === 'k'
}
