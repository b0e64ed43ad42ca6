import { useRef, useState } from 'react'

/**
 * For a popup that is not there until its button is clicked: what the kit needs to place a popup costs more than all else
 * in a row. The button is no part of it, so a click on the button of an open popup must not open it again.
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
