/** Short notices at the top of the page, for code that is not a component. */
export interface Toast {
  success(text: string): void
  error(text: string): void
  info(text: string): void
}

const silent: Toast = { success() {}, error() {}, info() {} }
let host: Toast = silent

/** The application plugs in what draws the notices. */
export function setToastHost(next: Toast): () => void {
  host = next
  return () => {
    if (host === next) host = silent
  }
}

export const toast: Toast = {
  success: (text) => host.success(text),
  error: (text) => host.error(text),
  info: (text) => host.info(text),
}
