import type { OptionChange } from '@tidegate/contract/api'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { refused, succeeded } from '../../../../test/fake-server.ts'
import { openSettings, press } from '../../../../test/settings-screen.tsx'

const aChange = (changes: Partial<OptionChange>): OptionChange => ({
  id: 7,
  created_at: 1_770_000_000,
  actor_id: 1,
  actor: 'admin',
  key: 'GroupRatio',
  secret: false,
  before: '{"default":1,"vip":2}',
  after: '{"default":1}',
  way: 'edit',
  ...changes,
})

const HISTORY = 'GET /api/option/history'
const RESTORE = 'POST /api/option/history/7/restore'

function openHistory(items: OptionChange[], routes: Parameters<typeof openSettings>[0] = {}) {
  const page = succeeded({ items, total: items.length, page: 1, page_size: 20 })
  return openSettings({ at: '?tab=ratelimit&panel=history', ...routes, routes: { [HISTORY]: page, ...routes.routes } })
}

/** The confirmation is a second dialog beside the drawer. */
async function findConfirm() {
  const title = await screen.findByText('恢复分组倍率？', { selector: '.ant-modal-confirm-title' })
  return title.closest<HTMLElement>('[role="dialog"]')!
}

const entryOf = async (name: string) => {
  const heading = await screen.findByText(name, { selector: 'h3' })
  return within(heading.closest('li')!)
}

describe('the history', () => {
  it('shows who changed which entries of a map', async () => {
    openHistory([aChange({})])

    const entry = await entryOf('分组倍率')

    entry.getByText('admin')
    expect(entry.getByText('vip').closest('div')!.textContent).toBe('vip从2删去')
    expect(entry.queryByText('default')).toBeNull()
  })

  it('shows a switch as on or off, long texts by line, and no secrets', async () => {
    openHistory([
      aChange({ id: 1, key: 'PasswordLoginEnabled', before: 'true', after: 'false' }),
      aChange({ id: 2, key: 'SMTPServer', before: 'a\nb', after: 'a\nc', way: 'restore' }),
      aChange({
        id: 3,
        key: 'SMTPToken',
        secret: true,
        before: null,
        after: null,
        actor_id: 0,
        actor: '',
        way: 'file',
      }),
    ])

    expect((await entryOf('允许密码登录')).getByText('关闭').tagName).toBe('INS')
    const lines = (await entryOf('SMTP 服务器')).getByRole('region', { name: '逐行对比' })
    expect([...lines.children].map((line) => line.textContent)).toEqual([' a', '−b', '+c'])
    const secret = await entryOf('SMTP 密码')
    secret.getByText('已更换。密钥不保留历史值，不能恢复。')
    secret.getByText('命令行或系统')
    secret.getByText('配置文件')
    expect(secret.queryByRole('button')).toBeNull()
  })

  it('restores a value after a confirmation that shows it', async () => {
    const { seen } = openHistory([aChange({})], { routes: { [RESTORE]: succeeded() } })
    fireEvent.click(await screen.findByText('恢复旧值'))
    const confirm = await findConfirm()
    expect(confirm.textContent).toContain('vip新增改为2')

    fireEvent.click(within(confirm).getByRole('button', { name: '恢复' }))

    await screen.findByText('已恢复分组倍率')
    expect(seen.map(({ method, path }) => `${method} ${path}`)).toContain(RESTORE)
    await waitFor(() => expect(seen.filter(({ path }) => path === '/api/option/history')).toHaveLength(2))
  })

  it('shows why a value cannot be restored, with the labels of options', async () => {
    const error = refused('option_guard_in_use', 'PasswordLoginEnabled 已开启，不能清空 SMTPServer')
    openHistory([aChange({})], { routes: { [RESTORE]: error } })
    fireEvent.click(await screen.findByText('恢复旧值'))

    fireEvent.click(within(await findConfirm()).getByRole('button', { name: '恢复' }))

    await screen.findByText('允许密码登录 已开启，不能清空 SMTP 服务器')
  })

  it('does not offer to restore the current value', async () => {
    openHistory([aChange({ before: '{"default":1}', after: '{"default":2}' })])

    ;(await entryOf('分组倍率')).getByText('旧值就是当前值')
  })

  it('opens the history of an option from its field and keeps it in the URL', async () => {
    const { seen, address } = openHistory([], { at: '?tab=system' })
    await screen.findByLabelText('SMTP 服务器')

    press('SMTP 服务器的修改历史')

    await screen.findByText('这一项还没有修改过')
    expect(address()).toBe('/admin/settings?tab=system&panel=history&option=SMTPServer')
    expect(seen.find(({ path }) => path === '/api/option/history')?.query).toMatchObject({ key: 'SMTPServer' })
  })
})
