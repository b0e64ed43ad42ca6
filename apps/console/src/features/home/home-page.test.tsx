import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { useSession } from '../../lib/session.ts'
import { fakeServer, succeeded } from '../../testing/fake-server.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { aStatus, aUser } from '../../testing/samples.ts'
import HomePage from './home-page.tsx'

const noModels = { json: { success: true, data: [], group_ratio: {}, usable_group: {} } }
const open = (content: string, status = aStatus()) => {
  fakeServer({ 'GET /api/home_page_content': succeeded(content), 'GET /api/pricing': noModels })
  return renderScreen(HomePage, { at: '/', status })
}

beforeEach(() => useSession.setState({ user: null }))

describe('the landing page', () => {
  it('names the site and gives its address for every kind of client', async () => {
    open('', aStatus({ server_address: 'https://gate.example/' }))

    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Harbour')
    expect(screen.getByText('https://gate.example')).toBeTruthy()
    for (const name of ['OpenAI', 'Responses', 'Anthropic', 'Gemini']) {
      expect(screen.getByRole('button', { name: `复制 ${name} 客户端的地址` })).toBeTruthy()
    }
  })

  it.each([
    ['somebody logged in', aUser(), aStatus(), '进入控制台'],
    ['a visitor', null, aStatus(), '开始使用'],
    ['a visitor of a closed site', null, aStatus({ register_enabled: false }), '登录'],
    ['a visitor of a site for one', null, aStatus({ self_use_mode_enabled: true }), '登录'],
  ])('lets %s begin', async (_who, user, status, text) => {
    useSession.setState({ user })
    open('', status)

    expect(await screen.findByRole('button', { name: text })).toBeTruthy()
  })

  it('says nothing of models while there are none', async () => {
    open('')
    await screen.findByRole('heading', { level: 1 })

    await waitFor(() => expect(screen.queryByText('全部模型与价格')).toBeNull())
  })
})

describe('what the operator put in its place', () => {
  it('is text, cleaned', async () => {
    const { container } = open('<h2>Tides</h2><script>alert(1)</script>')

    expect(await screen.findByRole('heading', { name: 'Tides' })).toBeTruthy()
    expect(container.querySelector('script')).toBeNull()
  })

  it('is a page of the web in a frame that cannot lead this window elsewhere', async () => {
    open(' https://welcome.example/start ')

    const frame = await screen.findByTitle('Harbour 首页')
    expect(frame.getAttribute('src')).toBe('https://welcome.example/start')
    expect(frame.getAttribute('sandbox')).toBe(
      'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-same-origin',
    )
  })

  it('is HTML with its scripts in a frame without an origin, when trusted', async () => {
    open('<b>a</b>', aStatus({ trusted_html_enabled: true }))

    const frame = await screen.findByTitle('Harbour 首页')
    expect(frame.getAttribute('src')).toBe('/custom/pages/home#theme=light&lang=zh')
    expect(frame.getAttribute('sandbox')).not.toContain('allow-same-origin')
  })
})
