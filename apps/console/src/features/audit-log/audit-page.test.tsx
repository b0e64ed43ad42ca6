import type { AuditEvent } from '@tidegate/contract/api'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { fakeServer, refused, succeeded } from '../../../test/fake-server.ts'
import { startTestLanguage } from '../../../test/language.ts'
import { showOnPhone } from '../../../test/phone.ts'
import { renderScreen } from '../../../test/render-screen.tsx'
import { aUser } from '../../../test/samples.ts'
import AuditPage from './audit-page.tsx'

const anEvent = (changes: Partial<AuditEvent> = {}): AuditEvent => ({
  id: 11,
  created_at: 1_770_000_000,
  actor_id: 1,
  actor: 'admin',
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
  const requested = () => server.seen.filter(({ path }) => path === '/api/audit').map(({ query }) => query)
  return { ...view, requested }
}

describe('the audit log', () => {
  it('names the automation token that a user acted with', async () => {
    open([anEvent({ token: 'nightly' })])

    const cells = within(await screen.findByRole('row', { name: /admin/ }))

    expect(cells.getByText('通过令牌 nightly')).toBeTruthy()
  })

  it('shows user, action, subject and address of an event', async () => {
    open([anEvent()])

    const cells = within(await screen.findByRole('row', { name: /admin/ }))

    for (const text of ['提升为管理员', '用户 #7', '192.0.2.7']) expect(cells.getByText(text)).toBeTruthy()
  })

  it('exports the filtered events as JSON Lines', async () => {
    let saved = new Blob()
    let name = ''
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => ((saved = blob as Blob), 'blob:file'))
    vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => {})
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      name = this.download
    })
    const requested: unknown[] = []
    const file = { headers: { 'content-type': 'application/x-ndjson; charset=utf-8' }, text: '{"id":11}\n' }
    open([anEvent()], {
      at: '?action=user&start=100',
      routes: { 'GET /api/audit/export': ({ query }) => (requested.push(query), file) },
    })
    await screen.findByRole('row', { name: /admin/ })

    fireEvent.click(screen.getByRole('button', { name: '导出 JSON Lines' }))

    await waitFor(() => expect(name).toMatch(/^audit-trail-\d{4}-\d\d-\d\d\.jsonl$/))
    expect(saved.size).toBe(file.text.length)
    expect(requested).toEqual([{ action: 'user', start_timestamp: '100' }])
  })

  it('shows events in English', async () => {
    await startTestLanguage('en')
    open([anEvent()])

    const cells = within(await screen.findByRole('row', { name: /admin/ }))

    for (const text of ['Made a user an admin', 'User #7']) expect(cells.getByText(text)).toBeTruthy()
  })

  it('shows the code of an unknown action, and names the system as its user', async () => {
    open([anEvent({ action: 'tide.turn', actor_id: 0, actor: '', subject: '' })])

    const cells = within(await screen.findByRole('row', { name: /tide\.turn/ }))

    expect(cells.getByText('系统')).toBeTruthy()
  })

  it('expands a row to its changed fields only', async () => {
    open([anEvent()])
    const row = await screen.findByRole('row', { name: /admin/ })

    fireEvent.click(within(row).getByRole('button'))

    const change = within(await screen.findByRole('row', { name: /^角色/ }))
    expect(change.getByText('普通用户')).toBeTruthy()
    expect(change.getByText('管理员')).toBeTruthy()
    expect(screen.queryByRole('row', { name: /^状态/ })).toBeNull()
    expect(screen.getByText('req-0042')).toBeTruthy()
    expect(screen.getByRole('button', { name: '复制请求编号' })).toBeTruthy()
  })

  it('shows an event on a phone as a card that opens its details', async () => {
    showOnPhone()
    open([anEvent()])

    fireEvent.click(await screen.findByRole('button', { name: '详情 提升为管理员' }))

    for (const text of ['192.0.2.7', 'req-0042']) expect(screen.getByText(text)).toBeTruthy()
  })

  it('shows the first 20 of many changes', async () => {
    const after = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`model-${index}`, index]))
    open([
      anEvent({
        action: 'option.update',
        subject: 'ModelRatio',
        details: { before: '{}', after: JSON.stringify(after) },
      }),
    ])
    fireEvent.click(within(await screen.findByRole('row', { name: /admin/ })).getByRole('button'))
    await screen.findByRole('row', { name: /^model-19/ })
    expect(screen.queryByRole('row', { name: /^model-20/ })).toBeNull()

    fireEvent.click(screen.getByRole('button', { name: '再显示 5 项' }))

    expect(await screen.findByRole('row', { name: /^model-24/ })).toBeTruthy()
  })

  it('requests the filters and the page of the URL', async () => {
    const { requested } = open([anEvent()], { at: '?actor=1&action=user&subject=7&start=100&end=200&page=2&size=20' })

    await screen.findByRole('row', { name: /admin/ })

    expect(requested()).toEqual([
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

  it('filters by a user found by name', async () => {
    const { address } = open([anEvent()])
    await screen.findByRole('row', { name: /admin/ })
    const field = screen.getByRole('combobox', { name: '操作人' })

    fireEvent.mouseDown(field)
    fireEvent.change(field, { target: { value: 'mir' } })
    fireEvent.click(await screen.findByTitle('mira #7'))

    await waitFor(() => expect(address()).toBe('/admin/audit?actor=7'))
  })

  it('names the active filters on chips that remove them', async () => {
    showOnPhone()
    const { address } = open([anEvent()], { at: '?actor=1&action=user&subject=7' })
    await screen.findByText('admin')

    for (const text of ['操作人: admin #1', '操作: 全部用户操作']) expect(screen.getByText(text)).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: '移除筛选：操作人' }))

    await waitFor(() => expect(address()).toBe('/admin/audit?action=user&subject=7'))
  })

  it('hides logins unless they are asked for', async () => {
    const { address, requested } = open([anEvent()])
    await screen.findByRole('row', { name: /admin/ })
    expect(requested().at(-1)!.without_logins).toBe('true')

    fireEvent.click(screen.getByRole('checkbox', { name: '显示登录' }))

    await waitFor(() => expect(address()).toBe('/admin/audit?logins=1'))
    await waitFor(() => expect(requested().at(-1)!.without_logins).toBeUndefined())
  })

  it('shows the logins of a chosen action', async () => {
    const { requested } = open([anEvent()], { at: '?action=user.login' })
    await screen.findByRole('row', { name: /admin/ })

    expect(requested().at(-1)!.without_logins).toBeUndefined()
    expect(screen.queryByRole('checkbox', { name: '显示登录' })).toBeNull()
  })

  it('filters by the subject of a row and goes to the first page', async () => {
    const { address } = open([anEvent()], { at: '?page=2' })
    fireEvent.click(within(await screen.findByRole('row', { name: /admin/ })).getByRole('button'))

    fireEvent.click(await screen.findByRole('button', { name: '只看这个对象' }))

    await waitFor(() => expect(address()).toBe('/admin/audit?subject=7'))
  })

  it('shows an error and loads the list again on request', async () => {
    let isBroken = true
    const { requested } = open([], {
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

    await screen.findByRole('row', { name: /admin/ })
    expect(requested()).toHaveLength(2)
  })

  it('shows that no event matches the filters', async () => {
    open([], { at: '?subject=nothing' })

    expect(await screen.findByText('没有匹配的结果')).toBeTruthy()
  })
})
