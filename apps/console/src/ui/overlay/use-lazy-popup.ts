import { useRef, useState } from 'react'

/**
 * A popup that is mounted when its button is clicked, because Ant Design's popup trigger is slow in long tables. The
 * button is outside the popup, so a click on it closes an open popup first. The same click must not open it again.
 */
export function useLatePopup() {
  const [open, setOpen] = useState(false)
  const wasOpen = useRef(false)
  const button = useRef<HTMLButtonElement>(null)
  return {
    open,
    button: {
      ref: button,
      'aria-expanded': open,
      onPointerDown: () => {
        wasOpen.current = open
      },
      onClick: () => {
        setOpen(!wasOpen.current)
        wasOpen.current = false
      },
    },
    close() {
      setOpen(false)
      button.current?.focus({ preventScroll: true })
    },
  }
}
