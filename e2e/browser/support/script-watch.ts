import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Elements that text of others may contain on a page. The sanitizer has its own list. */
const ALLOWED = new Set(
  `a abbr address article b bdi bdo blockquote br caption center cite code col colgroup dd del details dfn div dl dt em
  figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li mark ol p pre q rp rt ruby s samp section small
  span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr`.split(/\s+/),
)

const seen = new WeakMap<Page, string[]>()

/** Records what harmless text would not cause: dialogs, blocked scripts, requests to other hosts. */
export async function watchForScripts(page: Page): Promise<void> {
  const faults: string[] = []
  seen.set(page, faults)
  page.on('dialog', (dialog) => {
    faults.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', (popup) => faults.push(`popup ${popup.url()}`))
  page.on('frameattached', () => faults.push('a frame'))
  page.on('pageerror', (error) => faults.push(`error ${error.message}`))
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) faults.push(`policy ${message.text()}`)
  })
  await watchForeignRequests(page)
  await page.addInitScript(() => {
    const violations: string[] = []
    Object.assign(window, { violations })
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, sample, blockedURI }) =>
      violations.push(`${effectiveDirective} ${blockedURI} ${sample}`),
    )
  })
}

/** Blocks requests to other hosts. */
export async function watchForeignRequests(page: Page): Promise<void> {
  await page.route(/^https?:\/\/xss\.example/, async (route) => {
    seen.get(page)?.push(`request ${route.request().url()}`)
    await route.abort()
  })
}

interface ExpectedTexts {
  /** The number of texts of each kind on the page. */
  html: number
  markdown: number
  /** Text that each of them must show: nothing before it may have swallowed it. */
  marks: readonly string[]
}

/** Waits until the text is drawn and returns everything about it that is not inert. */
export async function findScriptEffects(page: Page, { html, markdown, marks }: ExpectedTexts): Promise<string[]> {
  await expect.poll(() => page.evaluate(renderedVectors, marks[0]!), { timeout: 20_000 }).toEqual({ html, markdown })
  const address = page.url()
  const inPage = await page.evaluate(inspectPage, { allowed: [...ALLOWED], marks: [...marks] })
  const faults = seen.get(page) ?? []
  const elsewhere = page.url() === address ? [] : [`led to ${page.url()}`]
  return [...faults.splice(0), ...inPage, ...elsewhere]
}

/** Runs in the page: counts the texts that are completely drawn. */
function renderedVectors(mark: string): { html: number; markdown: number } {
  const countRendered = (format: string) =>
    [...document.querySelectorAll(`[data-format=${format}]`)].filter((place) => place.textContent.includes(mark)).length
  return { html: countRendered('html'), markdown: countRendered('markdown') }
}

/** Runs in the page. */
async function inspectPage({ allowed, marks }: { allowed: string[]; marks: string[] }): Promise<string[]> {
  const faults = [...(window as unknown as { violations: string[] }).violations]
  // Browsers process new elements after this turn and before the next frame.
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  if ('clobbered' in window || 'clobbered' in document) faults.push('a variable: clobbered')
  if (document.querySelector('base, meta[http-equiv]')) faults.push('a base or a meta refresh element')
  for (const place of document.querySelectorAll('[data-format]')) {
    for (const mark of marks) if (!place.textContent.includes(mark)) faults.push(`${mark} is gone`)
    for (const element of place.querySelectorAll<HTMLElement>('*')) {
      // Formulas and the buttons beside code are ours: text cannot use their classes.
      if (!element.closest('.katex, .ant-btn')) faults.push(...faultsOf(element))
    }
  }
  return faults

  function faultsOf(element: HTMLElement): string[] {
    const found: string[] = []
    const name = element.localName
    if (!allowed.includes(name)) found.push(`<${name}>`)
    if (element.namespaceURI !== 'http://www.w3.org/1999/xhtml') found.push(`${name} of another namespace`)
    for (const { name: attribute, value } of element.attributes) {
      if (/^on|^(id|name|action|formaction|srcset|srcdoc|ping|is|slot|background|xlink:href)$/i.test(attribute)) {
        found.push(`${name} ${attribute}=${value}`)
      }
      if (attribute === 'class' && /\bant-/.test(value)) found.push(`${name} of the kit: ${value}`)
    }
    const { position, zIndex, transform, backgroundImage, marginTop } = element.style
    if (position || zIndex || transform || /url/.test(backgroundImage) || marginTop.startsWith('-')) {
      found.push(`${name} with ${element.style.cssText} (position and the like)`)
    }
    if (/url\(|expression|javascript/i.test(element.getAttribute('style') ?? '')) found.push(`${name} with a url`)
    if (element instanceof HTMLAnchorElement && element.hasAttribute('href')) {
      if (!['http:', 'https:', 'mailto:'].includes(element.protocol)) found.push(`a link to ${element.href}`)
      if (element.target !== '_blank' || element.rel !== 'noopener noreferrer nofollow')
        found.push('a link with a way back')
    }
    if (element instanceof HTMLImageElement && !/^(https?:|data:image\/(?!svg))/.test(element.src)) {
      found.push(`a picture at ${element.src}`)
    }
    return found
  }
}
