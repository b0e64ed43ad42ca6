import type { AuditEvent } from '@tidegate/contract/api'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { fakeServer, refused, succeeded } from '../../../test/fake-server.ts'
import { startTestLanguage } from '../../../test/language.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aUser } from '../../../test/samples.ts'
import AuditPage from './audit-page.tsx'

const anEvent = (changes: Partial<AuditEvent> = {}): AuditEvent => ({
  id: 11,
  created_at: 1_770_000_000,
  actor_id: 1,
  actor: 'captain',
  token: '',
  action: 'user.promote',
  subject: '7',
  details: { before: { role: 1, status: 1 }, after: { role: 10, status: 1 } },
  client_ip: '192.0.2.7',
  request_id: 'req-0042',
  ...changes,
})

function open(
  events: AuditEvent[],
  { at = '', routes = {} }: { at?: string; routes?: Parameters<typeof fakeServer>[0] } = {},
) {
  const server = fakeServer({
    'GET /api/audit': succeeded({ items: events, total: events.length, page: 1, page_size: 10 }),
    'GET /api/user/search': succeeded({ items: [aUser()], total: 1, page: 1, page_size: 20 }),
    ...routes,
  })
  const view = renderScreen(AuditPage, { at: `/admin/audit${at}` })
  const asked = () => server.seen.filter(({ path }) => path === '/api/audit').map(({ query }) => query)
  return { ...view, asked }
}

describe('the audit trail', () => {
  it('names the automation token that acted for somebody', async () => {
    open([anEvent({ token: 'nightly' })])

    const cells = within(await screen.findByRole('row', { name: /captain/ }))

    expect(cells.getByText('通过令牌 nightly')).toBeTruthy()
  })

  it('says who did what to whom, in words', async () => {
    open([anEvent()])

    const cells = within(await screen.findByRole('row', { name: /captain/ }))

    for (const words of ['提升为管理员', '用户 #7', '192.0.2.7']) expect(cells.getByText(words)).toBeTruthy()
  })

  it('exports what the filters find as JSON lines', async () => {
    let saved = new Blob()
    let name = ''
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => ((saved = blob as Blob), 'blob:file'))
    vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => {})
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      name = this.download
    })
    const asked: unknown[] = []
    const file = { headers: { 'content-type': 'application/x-ndjson; charset=utf-8' }, text: '{"id":11}\n' }
    open([anEvent()], {
      at: '?action=user&start=100',
      routes: { 'GET /api/audit/export': ({ query }) => (asked.push(query), file) },
    })
    await screen.findByRole('row', { name: /captain/ })

    fireEvent.click(screen.getByRole('button', { name: '导出 JSON Lines' }))

    await waitFor(() => expect(name).toMatch(/^audit-trail-\d{4}-\d\d-\d\d\.jsonl$/))
    expect(saved.size).toBe(file.text.length)
    expect(asked).toEqual([{ action: 'user', start_timestamp: '100' }])
  })

  it('says it in English as well', async () => {
    await startTestLanguage('en')
    open([anEvent()])

    const cells = within(await screen.findByRole('row', { name: /captain/ }))

    for (const words of ['Made a user an admin', 'User #7']) expect(cells.getByText(words)).toBeTruthy()
  })

  it('falls back to the code of an action it does not know, and names the site itself', async () => {
    open([anEvent({ action: 'tide.turn', actor_id: 0, actor: '', subject: '' })])

    const cells = within(await screen.findByRole('row', { name: /tide\.turn/ }))

    expect(cells.getByText('系统')).toBeTruthy()
  })

  it('opens a row to what changed, and nothing that did not', async () => {
    open([anEvent()])
    const row = await screen.findByRole('row', { name: /captain/ })

    fireEvent.click(within(row).getByRole('button'))

    const change = within(await screen.findByRole('row', { name: /^角色/ }))
    expect(change.getByText('普通用户')).toBeTruthy()
    expect(change.getByText('管理员')).toBeTruthy()
    expect(screen.queryByRole('row', { name: /^状态/ })).toBeNull()
    expect(screen.getByText('req-0042')).toBeTruthy()
    expect(screen.getByRole('button', { name: '复制请求编号' })).toBeTruthy()
  })

  it('shows a few of many changes first', async () => {
    const after = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`model-${index}`, index]))
    open([
      anEvent({
        action: 'option.update',
        subject: 'ModelRatio',
        details: { before: '{}', after: JSON.stringify(after) },
      }),
    ])
    fireEvent.click(within(await screen.findByRole('row', { name: /captain/ })).getByRole('button'))
    await screen.findByRole('row', { name: /^model-19/ })
    expect(screen.queryByRole('row', { name: /^model-20/ })).toBeNull()

    fireEvent.click(screen.getByRole('button', { name: '再显示 5 项' }))

    expect(await screen.findByRole('row', { name: /^model-24/ })).toBeTruthy()
  })

  it('asks for what the address says', async () => {
    const { asked } = open([anEvent()], { at: '?actor=1&action=user&subject=7&start=100&end=200&page=2&size=20' })

    await screen.findByRole('row', { name: /captain/ })

    expect(asked()).toEqual([
      {
        actor_id: '1',
        action: 'user',
        subject: '7',
        start_timestamp: '100',
        end_timestamp: '200',
        p: '2',
        page_size: '20',
      },
    ])
  })

  it('narrows to somebody found by name', async () => {
    const { address } = open([anEvent()])
    await screen.findByRole('row', { name: /captain/ })
    const field = screen.getByRole('combobox', { name: '操作者' })

    fireEvent.mouseDown(field)
    fireEvent.change(field, { target: { value: 'mir' } })
    fireEvent.click(await screen.findByTitle('mira #7'))

    await waitFor(() => expect(address()).toBe('/admin/audit?actor=7'))
  })

  it('narrows to the subject of a row, from the first page', async () => {
    const { address } = open([anEvent()], { at: '?page=2' })
    fireEvent.click(within(await screen.findByRole('row', { name: /captain/ })).getByRole('button'))

    fireEvent.click(await screen.findByRole('button', { name: '只看这个对象' }))

    await waitFor(() => expect(address()).toBe('/admin/audit?subject=7'))
  })

  it('says what went wrong, and asks again on request', async () => {
    let isBroken = true
    const { asked } = open([], {
      routes: {
        'GET /api/audit': () =>
          isBroken
            ? refused('internal_error', '', 500)
            : succeeded({ items: [anEvent()], total: 1, page: 1, page_size: 10 }),
      },
    })
    await screen.findByText('加载失败')
    isBroken = false

    fireEvent.click(screen.getByRole('button', { name: '重试' }))

    await screen.findByRole('row', { name: /captain/ })
    expect(asked()).toHaveLength(2)
  })

  it('says that nothing matches', async () => {
    open([], { at: '?subject=nothing' })

    expect(await screen.findByText('没有符合条件的记录')).toBeTruthy()
  })
})
