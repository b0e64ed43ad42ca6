/** Short messages in a corner of the page, for code that is not a component. */
export interface Toast {
  success(text: string): void
  error(text: string): void
  info(text: string): void
  /** A change that was made at once and can be taken back for some seconds. The text names the object. */
  undo(text: string, onUndo: () => unknown): void
}

let host: Toast | null = null
/** Messages from before there is a host: while the console starts. */
let waiting: ((host: Toast) => void)[] = []

/** The application registers the component that draws messages. */
export function setToastHost(next: Toast): () => void {
  host = next
  const late = waiting
  waiting = []
  for (const show of late) show(next)
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
  else waiting.push(message)
}
