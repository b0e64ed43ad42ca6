/** The parts of Turnstile's own script that are used. */
export interface Turnstile {
  render(place: HTMLElement, options: TurnstileOptions): string
  remove(widget: string): void
}

export interface TurnstileOptions {
  sitekey: string
  action: string
  theme: 'light' | 'dark'
  language: string
  size: 'flexible' | 'compact'
  callback(token: string): void
  'expired-callback'(): void
  'timeout-callback'(): void
  /** True: the failure is told here, the script need not write it to the console. */
  'error-callback'(): boolean
}

declare global {
  interface Window {
    turnstile?: Turnstile
  }
}

const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'
let loading: Promise<Turnstile> | undefined

/** Fetches the script once for the life of the page; after a failure the next call tries again. */
export function loadTurnstile(): Promise<Turnstile> {
  if (window.turnstile) return Promise.resolve(window.turnstile)
  loading ??= addScript().finally(() => {
    loading = undefined
  })
  return loading
}

function addScript(): Promise<Turnstile> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    const fail = () => {
      script.remove()
      reject(new Error('The script of the human check did not load.'))
    }
    script.src = SCRIPT
    script.async = true
    script.addEventListener('load', () => (window.turnstile ? resolve(window.turnstile) : fail()))
    script.addEventListener('error', fail)
    document.head.append(script)
  })
}
