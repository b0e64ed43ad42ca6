import { cleanup, configure } from '@testing-library/react'
import { afterEach, beforeEach } from 'vitest'
import { startTestLanguage } from './language.ts'

class NoResizeObserver implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

// The kit and the theme ask the browser for these as soon as they are loaded; jsdom has none of them.
const computedStyle = window.getComputedStyle.bind(window)
Object.assign(window, {
  ResizeObserver: NoResizeObserver,
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

// A busy machine draws slowly; what is waited for is never a time.
configure({ asyncUtilTimeout: 15_000 })

beforeEach(async () => {
  localStorage.clear()
  sessionStorage.clear()
  await startTestLanguage('zh')
})

afterEach(() => {
  cleanup()
  // A simulated user brings a clipboard along, which the tests that follow in this worker would find.
  Reflect.deleteProperty(navigator, 'clipboard')
})
