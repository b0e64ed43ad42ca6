import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aStatus } from '../../../test/samples.ts'
import { HumanCheckWidget, useHumanCheck } from './human-check.tsx'
import type { TurnstileOptions } from './load-turnstile.ts'

function AForm() {
  const check = useHumanCheck('login')
  return (
    <>
      <HumanCheckWidget check={check} />
      <output>{check.isPassed ? `passed ${check.token}` : 'waiting'}</output>
      <button onClick={check.renew}>fail</button>
    </>
  )
}

const drawn: TurnstileOptions[] = []
const removed: string[] = []
const provider = {
  render(_place: HTMLElement, options: TurnstileOptions) {
    drawn.push(options)
    return `widget-${drawn.length}`
  },
  remove: (widget: string) => void removed.push(widget),
}
const scripts = () => [...document.head.querySelectorAll<HTMLScriptElement>('script[src*="turnstile"]')]
const open = (on: boolean) =>
  renderScreen(AForm, { at: '/', status: aStatus({ turnstile_check: on, turnstile_site_key: 'site-key' }) })
const state = () => screen.getByRole('status').textContent

/** The script of the provider loads. */
function deliver() {
  vi.stubGlobal('turnstile', provider)
  act(() => void scripts()[0]!.dispatchEvent(new Event('load')))
}

beforeEach(() => {
  drawn.length = 0
  removed.length = 0
})
afterEach(() => scripts().forEach((script) => script.remove()))

describe('the CAPTCHA', () => {
  it('loads nothing if it is disabled', () => {
    open(false)

    expect(scripts()).toEqual([])
    expect(state()).toBe('passed ')
  })

  it('passes its token to the form and its action to the provider', async () => {
    open(true)
    expect(screen.getByText('正在加载人机验证…')).toBeTruthy()
    expect(state()).toBe('waiting')

    deliver()
    await waitFor(() => expect(drawn).toHaveLength(1))
    act(() => drawn[0]!.callback('a-token'))

    expect(drawn[0]).toMatchObject({ sitekey: 'site-key', action: 'login', theme: 'light', language: 'zh-cn' })
    expect(state()).toBe('passed a-token')
    expect(screen.queryByText('正在加载人机验证…')).toBeNull()
  })

  it('removes an expired token', async () => {
    vi.stubGlobal('turnstile', provider)
    open(true)
    await waitFor(() => expect(drawn).toHaveLength(1))
    act(() => drawn[0]!.callback('a-token'))

    act(() => drawn[0]!['expired-callback']())

    expect(state()).toBe('waiting')
  })

  it('requests a new token after an error of the form', async () => {
    vi.stubGlobal('turnstile', provider)
    open(true)
    await waitFor(() => expect(drawn).toHaveLength(1))
    act(() => drawn[0]!.callback('spent'))

    fireEvent.click(screen.getByRole('button', { name: 'fail' }))

    await waitFor(() => expect(drawn).toHaveLength(2))
    expect(removed).toEqual(['widget-1'])
    expect(state()).toBe('waiting')
    act(() => drawn[1]!.callback('fresh'))
    expect(state()).toBe('passed fresh')
  })

  it('shows an error if the script does not load, and retries', async () => {
    open(true)
    act(() => void scripts()[0]!.dispatchEvent(new Event('error')))

    fireEvent.click(await screen.findByRole('button', { name: '重试' }))
    await waitFor(() => expect(scripts()).toHaveLength(1))
    deliver()

    await waitFor(() => expect(drawn).toHaveLength(1))
    expect(screen.queryByText(/加载失败/)).toBeNull()
  })

  it('shows an error of the provider', async () => {
    vi.stubGlobal('turnstile', provider)
    open(true)
    await waitFor(() => expect(drawn).toHaveLength(1))

    act(() => void drawn[0]!['error-callback']())

    expect(await screen.findByText(/加载失败/)).toBeTruthy()
    expect(state()).toBe('waiting')
  })
})
