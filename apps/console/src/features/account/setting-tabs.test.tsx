import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { fill, openMe } from './test-me.tsx'

const tab = (name: string) => screen.findByRole('tab', { name })

describe('the tabs of the personal settings', () => {
  it.each([
    ['', '通知设置'],
    ['?tab=price', '价格设置'],
    ['?tab=no-such', '通知设置'],
  ])('open as the address %j says', async (at, name) => {
    openMe({ at })

    expect((await tab(name)).getAttribute('aria-selected')).toBe('true')
  })

  it('put themselves into the address, and let go of the page of the list', async () => {
    const { address } = openMe({ at: '?page=2' })

    fireEvent.click(await tab('其他设置'))

    expect(address()).toBe('/app/me?tab=other')
  })

  it('keep what was entered while another is looked at', async () => {
    openMe()
    await screen.findByLabelText('余额预警')
    fill('余额预警', '700000')

    fireEvent.click(await tab('价格设置'))
    fireEvent.click(await tab('通知设置'))

    expect(screen.getByLabelText('余额预警')).toHaveProperty('value', '700,000')
  })

  it('do not let a page with changes go without a question', async () => {
    openMe()
    await screen.findByLabelText('余额预警')
    const leave = () => {
      const event = new Event('beforeunload', { cancelable: true })
      act(() => void window.dispatchEvent(event))
      return event.defaultPrevented
    }
    expect(leave()).toBe(false)

    fill('余额预警', '700000')

    expect(leave()).toBe(true)
  })
})
