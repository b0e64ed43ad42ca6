/**
 * A ref for the content of a dialog: its first control gets the focus, which would be on the button that closes the
 * dialog. The dialog is hidden until the next frame.
 */
export function focusFirst(content: HTMLElement | null): void {
  if (content === null) return
  requestAnimationFrame(() => {
    const first =
      content.querySelector<HTMLElement>('[data-first-focus] button') ?? content.querySelector('input, button')
    if (first instanceof HTMLElement) first.focus({ preventScroll: true })
  })
}
