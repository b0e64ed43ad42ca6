import { type Browser, chromium } from 'playwright-core'

/** Chromium without the code of its windows: a third less work per page. `CHROMIUM` names another one. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

let launched: Promise<Browser> | undefined

/** The one Chromium of this process: its files share it, and it ends with the process. */
export function sharedChromium(): Promise<Browser> {
  launched ??= chromium.launch({ executablePath: process.env.CHROMIUM ?? HEADLESS_SHELL, args: FLAGS })
  return launched
}

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  // A page runs in the process of the page before it, which has the console compiled already: half the time to open it.
  '--process-per-site',
]
