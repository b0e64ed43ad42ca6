/** Short notices at the top of the page, for code that is not a component. */
export interface Toast {
  success(text: string): void
  error(text: string): void
  info(text: string): void
}

let host: Toast | null = null
/** Said before there was anything to draw it: while the console starts. */
let waiting: ((host: Toast) => void)[] = []

/** The application plugs in what draws the notices. */
export function setToastHost(next: Toast): () => void {
  host = next
  const late = waiting
  waiting = []
  for (const say of late) say(next)
  return () => {
    if (host === next) host = null
  }
}

export const toast: Toast = {
  success: (text) => tell((host) => host.success(text)),
  error: (text) => tell((host) => host.error(text)),
  info: (text) => tell((host) => host.info(text)),
}

function tell(say: (host: Toast) => void): void {
  if (host) say(host)
  else waiting.push(say)
}
