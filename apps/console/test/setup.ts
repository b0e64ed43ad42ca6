import { createRequire } from 'node:module'
import { cleanup, configure } from '@testing-library/react'
import * as React from 'react'
import { afterEach, beforeEach, vi } from 'vitest'
import { useProofQuestion } from '../src/api/reauth-hook.ts'
import { useSession } from '../src/api/session.ts'
import { startTestLanguage } from './language.ts'

class NoResizeObserver implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** Reports every element as visible, because jsdom has no layout. */
class AlwaysIntersectingObserver implements Pick<IntersectionObserver, 'observe' | 'unobserve'> {
  readonly #report: IntersectionObserverCallback
  constructor(report: IntersectionObserverCallback) {
    this.#report = report
  }
  observe(target: Element) {
    const entry = { isIntersecting: true, target } as unknown as IntersectionObserverEntry
    this.#report([entry], this as unknown as IntersectionObserver)
  }
  unobserve() {}
}

const computedStyle = window.getComputedStyle.bind(window)
const defaultDisplay = new Map<string, string>()

// Ant Design adds a style sheet of variables with each kind of component, which no test reads.
Object.assign(createRequire(import.meta.url)('@rc-component/util/lib/Dom/dynamicCSS') as object, {
  updateCSS: () => document.createElement('style'),
})

/** Tests load no style sheets, so a style attribute decides, or the default of the element. */
function displayOf(element: HTMLElement): string {
  const own = element.hasAttribute('style') && element.style.display
  if (own) return own
  const { localName } = element
  const byAttributes = /^(?:audio|details|dialog|summary)$/.test(localName) || element.getAttribute('type') === 'hidden'
  if (byAttributes || element.hasAttribute('hidden')) return computedStyle(element).display
  let display = defaultDisplay.get(localName)
  if (display === undefined) {
    display = computedStyle(document.createElement(localName)).display
    defaultDisplay.set(localName, display)
  }
  return display
}

function visibilityOf(element: HTMLElement): string {
  for (let at: HTMLElement | null = element; at; at = at.parentElement) {
    const own = at.hasAttribute('style') && at.style.visibility
    if (own) return own
  }
  return 'visible'
}

/**
 * The computed style of an element. Queries by role read display and visibility of each element and its ancestors, for
 * which jsdom would compare it with every rule. No rule sets the content of a pseudo-element.
 */
function styleOf(element: HTMLElement): CSSStyleDeclaration {
  let full: CSSStyleDeclaration | undefined
  const all = () => (full ??= computedStyle(element))
  const read = (name: string) => {
    if (name === 'display') return displayOf(element)
    if (name === 'visibility') return visibilityOf(element)
    return name === 'content' ? 'normal' : all().getPropertyValue(name)
  }
  return new Proxy({} as CSSStyleDeclaration, {
    get(_, name: string) {
      if (name === 'getPropertyValue') return read
      return name === 'display' || name === 'visibility' ? read(name) : (Reflect.get(all(), name) as unknown)
    },
  })
}

// Ant Design and the theme need these APIs, which jsdom does not implement.
Object.assign(window, {
  ResizeObserver: NoResizeObserver,
  IntersectionObserver: AlwaysIntersectingObserver,
  matchMedia: (query: string) => ({
    media: query,
    matches: false,
    addEventListener() {},
    removeEventListener() {},
    addListener() {},
    removeListener() {},
  }),
  // Without the pseudo-elements with which Ant Design measures scroll bars: jsdom does not support them.
  // This file runs before each file of a worker.
  ...(window.getComputedStyle.name !== styleOf.name && { getComputedStyle: styleOf }),
})

Element.prototype.scrollIntoView = () => {} // not implemented by jsdom

// Queries by text compare every element with these selectors, which takes jsdom a twentieth of the suite.
const TAGS_OF = new Map([
  ['script, style', /^(?:script|style)$/],
  ['input[type=submit], input[type=button], input[type=reset]', /^input$/],
])
const { matches, querySelectorAll } = Element.prototype

// Queries by role select every element with that role or one of some names: one walk, instead of one for each of them.
const BY_ROLE = /^\*\[role~="(\w+)"\](?:,(.*))?$/
function queryByRole(within: Element, role: string, names = ''): Element[] {
  const tags = new Set(names.split(','))
  const walker = document.createTreeWalker(within, NodeFilter.SHOW_ELEMENT)
  const found: Element[] = []
  while (walker.nextNode()) {
    const element = walker.currentNode as Element
    if (tags.has(element.localName) || element.getAttribute('role')?.split(' ').includes(role)) found.push(element)
  }
  return found
}

// This file runs before each file of a worker.
if (matches.name !== 'matchByTag') {
  Object.assign(Element.prototype, {
    matches: function matchByTag(this: Element, selector: string): boolean {
      return TAGS_OF.get(selector)?.test(this.localName) !== false && matches.call(this, selector)
    },
    querySelectorAll(this: Element, selector: string): ArrayLike<Element> {
      const [isByRole, role, names] = BY_ROLE.exec(selector) ?? []
      return isByRole ? queryByRole(this, role!, names) : querySelectorAll.call(this, selector)
    },
  })
}

configure({
  // Long, because rendering is slow on a busy machine.
  asyncUtilTimeout: 30_000,
  // Without the HTML of the document, which is slow to print.
  getElementError: (message) => new Error(message ?? 'no such element'),
})

// In development, React takes a stack trace for each of the first 10,000 elements of a second: a tenth of the suite.
const internals = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE') as object
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => 10_000, set: () => {} })

beforeEach(async () => {
  localStorage.clear()
  sessionStorage.clear()
  useSession.setState({ user: null, ended: null })
  await startTestLanguage('zh')
})

afterEach(({ task }) => {
  if (task.result?.state === 'fail')
    console.error(`The page of the failed test: ${document.body.textContent.slice(0, 2000)}`)
  cleanup()
  // The next file of this worker gets the real globals, except that late requests of this test are never sent.
  vi.unstubAllGlobals()
  vi.stubGlobal('fetch', () => new Promise(() => {}))
  // An open prompt would be shown in the next tests of this worker.
  useProofQuestion.getState().question?.answer(false)
  // `userEvent` installs a clipboard that would remain in the next tests of this worker.
  Reflect.deleteProperty(navigator, 'clipboard')
})
