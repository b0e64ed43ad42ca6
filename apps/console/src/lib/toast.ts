/** Short messages in a corner of the page, for code that is not a component. */
export interface Toast {
  success(text: string): void
  error(text: string): void
  info(text: string): void
  /** A completed change that the user can undo for some seconds. The text names the object. */
  undo(text: string, onUndo: () => unknown): void
}

let host: Toast | null = null
/** Messages from the start of the console, before a host is registered. */
let queued: ((host: Toast) => void)[] = []

/** Registers the component that shows messages. Returns a function that removes it. */
export function setToastHost(next: Toast): () => void {
  host = next
  const messages = queued
  queued = []
  for (const show of messages) show(next)
  return () => {
    if (host === next) host = null
  }
}

export const toast: Toast = {
  success: (text) => show((host) => host.success(text)),
  error: (text) => show((host) => host.error(text)),
  info: (text) => show((host) => host.info(text)),
  undo: (text, onUndo) => show((host) => host.undo(text, onUndo)),
}

function show(message: (host: Toast) => void): void {
  if (host) message(host)
  else queued.push(message)
}
