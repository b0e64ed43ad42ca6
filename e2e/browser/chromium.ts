import { type Browser, chromium } from 'playwright-core'

let launched: Promise<Browser> | undefined

/** The one Chromium of this process: its files share it, and it ends with the process. */
export function sharedChromium(): Promise<Browser> {
  launched ??= chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS })
  return launched
}

const FLAGS = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A page runs in the process of the page before it, which has the console compiled already: half the time to open it.
  '--process-per-site',
  `--disable-features=${disabledFeatures().join()}`,
]

function disabledFeatures(): string[] {
  // Two pages behind the address bar, which nobody sees and every window would load: a third of the time to open ours.
  const addressBar = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']
  // Chromium heeds the last list only, so what Playwright turns off is named again.
  const noise = [
    'GlobalMediaControls',
    'LensOverlay',
    'MediaRouter',
    'DialMediaRouteProvider',
    'Translate',
    'AimEnabled',
  ]
  const network = ['HttpsUpgrades', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'ThirdPartyStoragePartitioning']
  const interception = ['BlockOriginHeaderModificationOnRedirect', 'AvoidCorsURLLoaderRestartOnRedirect']
  const pages = ['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'PaintHolding']
  return [...addressBar, ...noise, ...network, ...interception, ...pages]
}
