import { cleanup, configure } from '@testing-library/react'
import * as React from 'react'
import { afterEach, beforeEach } from 'vitest'
import { useProofQuestion } from '../src/api/reauth-hook.ts'
import { useSession } from '../src/api/session.ts'
import { startTestLanguage } from './language.ts'

class NoResizeObserver implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** Everything is near the window: jsdom has no layout. */
class NearObserver implements Pick<IntersectionObserver, 'observe' | 'unobserve'> {
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

// The kit and the theme ask the browser for these as soon as they are loaded; jsdom has none of them.
const computedStyle = window.getComputedStyle.bind(window)
Object.assign(window, {
  ResizeObserver: NoResizeObserver,
  IntersectionObserver: NearObserver,
  matchMedia: (query: string) => ({
    media: query,
    matches: false,
    addEventListener() {},
    removeEventListener() {},
    addListener() {},
    removeListener() {},
  }),
  // The kit measures scroll bars through pseudo-elements, which jsdom cannot style.
  getComputedStyle: (element: Element) => computedStyle(element),
})

Element.prototype.scrollIntoView = () => {} // nothing can be scrolled here

configure({
  // A busy machine draws slowly; what is waited for is never a time.
  asyncUtilTimeout: 30_000,
  // A dump of the whole document takes longer than the query that failed.
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

afterEach(() => {
  cleanup()
  // A question that a test leaves open would be shown in the tests that follow in this worker.
  useProofQuestion.getState().question?.answer(false)
  // A simulated user brings a clipboard along, which the tests that follow in this worker would find.
  Reflect.deleteProperty(navigator, 'clipboard')
})
