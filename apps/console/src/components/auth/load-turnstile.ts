/** The used part of the Turnstile script. */
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
  /** Returns true if the page shows the error, so that the script does not log it. */
  'error-callback'(): boolean
}

declare global {
  interface Window {
    turnstile?: Turnstile
  }
}

const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'
let loading: Promise<Turnstile> | undefined

/** Loads the script once per page. After a failure, the next call loads it again. */
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
      reject(new Error('The Turnstile script did not load.'))
    }
    script.src = SCRIPT
    script.async = true
    script.addEventListener('load', () => (window.turnstile ? resolve(window.turnstile) : fail()))
    script.addEventListener('error', fail)
    document.head.append(script)
  })
}
