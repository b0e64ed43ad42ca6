import { screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '../../../test/fake-server.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aStatus } from '../../../test/samples.ts'
import { AuthPanel } from './auth-panel.tsx'

const PRICING = 'GET /api/pricing'
const aModel = (model_name: string, owner_by: string) => ({ model_name, owner_by, quota_type: 0, enable_groups: [] })
const offered = (models: object[]) => ({
  json: { success: true, message: '', data: models, group_ratio: {}, usable_group: {} },
})

function open(status: Parameters<typeof aStatus>[0] = {}, isWide = true) {
  const narrow = window.matchMedia('')
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({
    ...narrow,
    matches: isWide && query === '(min-width: 900px)',
  }))
  const Screen = () => <AuthPanel title="Sign in">form</AuthPanel>
  return renderScreen(Screen, { at: '/login', status: aStatus(status) })
}

afterEach(() => vi.restoreAllMocks())

describe('the introduction beside a form', () => {
  it('shows the name of the site and how many models and providers it has', async () => {
    fakeServer({
      [PRICING]: offered([aModel('a', 'Reef'), aModel('b', 'Reef'), aModel('c', 'Shoal'), aModel('d', '')]),
    })
    open({ system_name: 'Harbor Relay' })

    expect(await screen.findByText('Harbor Relay')).toBeTruthy()
    expect((await screen.findByText('个模型')).nextSibling?.textContent).toBe('4')
    expect(screen.getByText('家供应商').nextSibling?.textContent).toBe('2')
    expect(screen.getAllByRole('heading')).toHaveLength(1)
  })

  it.each([
    ['there are no models', offered([])],
    ['the models cannot be loaded', refused('internal_error', '', 500)],
  ])('shows no counts if %s', async (_, reply) => {
    const { seen } = fakeServer({ [PRICING]: reply })
    open()

    await vi.waitFor(() => expect(seen.length).toBeGreaterThan(0))
    expect(screen.queryByText('个模型')).toBeNull()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('makes no request before the site is set up', async () => {
    const { seen } = fakeServer({})
    open({ setup: false, system_name: '' })

    expect(await screen.findByText('Tidegate')).toBeTruthy()
    expect(seen).toEqual([])
  })

  it('is absent in a narrow window', () => {
    const { seen } = fakeServer({})
    open({ system_name: 'Harbor Relay' }, false)

    expect(screen.queryByText('Harbor Relay')).toBeNull()
    expect(screen.getByRole('heading', { name: 'Sign in' })).toBeTruthy()
    expect(seen).toEqual([])
  })
})
